/* The two ends of a call: what they are called, and who is on the other end of somebody's call. */
import { shortName } from "../lib/format.js";

const ONLY_DIGITS = /^[+\d\s().-]+$/; // some networks send the number once more in place of a name

/* Where there is room, a stranger's number stands beside the name that their network gives. */
export function partyName(side, page) {
  const hasName = side.name && !ONLY_DIGITS.test(side.name);
  if (!hasName) return side.number || side.extension || page.texts.withheld;
  if (page.isShort) return side.extension ? shortName(side.name) : side.name;
  return side.extension || !side.number ? side.name : side.name + " " + side.number;
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

/* With whom this person is on the phone: a colleague or queue as everybody may know, else whom the calls show; "" for nobody. */
export function partyOf(person, parties, page) {
  if (person.with || person.state === "idle" || person.state === "unknown") return person.with;
  const found = (parties.get(person.extension) || []).find((each) => each.state === person.state);
  return found ? partyName(found.side, page) : "";
}
