/* The two ends of a call: what they are called, and who is on the other end of somebody's call. */
import { shortName } from "../lib/format.js";

const ONLY_DIGITS = /^[+\d\s().-]+$/; // some networks send the number once more in place of a name

export function partyName(side, page) {
  if (!hasName(side)) return side.number || side.extension || page.texts.withheld;
  return page.isShort && side.extension ? shortName(side.name) : side.name;
}

/* Where there is room, a stranger's number stands beside the name that their network gives; else "". */
export function partyNumber(side, page) {
  return hasName(side) && !page.isShort && !side.extension ? side.number : "";
}

export function partyText(side, page) {
  return [partyName(side, page), partyNumber(side, page)].filter(Boolean).join(" ");
}

function hasName(side) {
  return Boolean(side.name) && !ONLY_DIGITS.test(side.name);
}

/* docs: the calls that this page may see. Extension -> [{state, side}], the other end of each call at that phone. */
export function partiesOf(docs) {
  const parties = new Map();
  const add = (extension, state, side) => {
    if (!extension) return;
    if (!parties.has(extension)) parties.set(extension, []);
    parties.get(extension).push({ state, side });
  };
  docs.forEach((leg, key) => {
    if (key === "events" || leg.queue || leg.unconfirmed) return;
    add(leg.from.extension, leg.state, leg.to);
    add(leg.to.extension, leg.state, leg.from);
  });
  return parties;
}

/* The other end of this person's call as the calls show it; null for nobody, and for whom everybody may know: `with`. */
export function otherSide(person, parties) {
  if (person.with || person.state === "idle" || person.state === "unknown") return null;
  const found = (parties.get(person.extension) || []).find((each) => each.state === person.state);
  return found ? found.side : null;
}

/* With whom this person is on the phone: a colleague or queue, else whom the calls show; "" for nobody. */
export function partyOf(person, parties, page) {
  const side = otherSide(person, parties);
  return side ? partyText(side, page) : person.with;
}
