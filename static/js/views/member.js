/* One person in the list of all: what the phone does, since when and with whom, and what they say of themself. */
import { fromTemplate, hidePart, part, setAttribute, setData, setHidden, setPartText } from "../lib/dom.js";
import { clock, duration, fill, span, UNKNOWN } from "../lib/format.js";
import { eventAgeText } from "./event-age.js";
import { otherSide, partyName, partyNumber } from "./parties.js";
import { statusText } from "./status.js";

export function makeMember() {
  return fromTemplate("member");
}

/* page: {now, zone, texts, own, parties}. */
export function updateMember(row, person, isFavourite, isTrusted, page) {
  const state = isTrusted ? person.state : "doubtful";
  const shown = isTrusted && state === "unknown" ? "unseen" : state;
  setData(row, "state", shown);
  setData(part(row, "mark"), "state", shown);
  const name = person.name || person.extension;
  setPartText(row, "member-name", name);
  setPartText(row, "member-extension", person.name ? person.extension : "");
  hidePart(row, "member-you", person.extension !== page.own);
  updateDoing(row, person, isTrusted, page);
  const status = statusText(person, page);
  const note = status && person.status.note ? " · " + person.status.note : "";
  setPartText(row, "member-status", status ? fill(page.texts.says, { what: status + note }) : "");
  updateStar(row, name, isFavourite, page);
  const call = part(row, "member-call");
  setAttribute(call, "href", "tel:" + encodeURIComponent(person.extension));
  setAttribute(call, "aria-label", fill(page.texts.call, { name, extension: person.extension }));
  setHidden(call, person.extension === page.own);
}

function updateDoing(row, person, isTrusted, page) {
  const isSeen = isTrusted && person.state !== "unknown" && person.since;
  setPartText(row, "member-word", isTrusted ? page.texts.presence[person.state] || person.state : UNKNOWN);
  const seconds = isSeen ? (page.now - person.since) / 1000 : 0;
  setPartText(row, "member-time", isSeen ? (person.state === "idle" ? span(seconds, page.texts) : duration(seconds)) : "");
  const time = isSeen ? clock(person.since, page.zone, page.now) : "";
  const news = isSeen ? eventAgeText(person, page) : "";
  const since = isSeen ? fill(page.texts.since_time, { time }) : "";
  setPartText(row, "member-since", [since, news].filter(Boolean).join(" · "));
  updateParty(row, isTrusted ? person.with : "", isTrusted ? otherSide(person, page.parties) : null, page);
}

/* A number is a part of its own: it goes to the next line as a whole. */
function updateParty(row, known, side, page) {
  const name = side ? partyName(side, page) : known;
  const isNumber = side !== null && name === side.number;
  // In a sentence that runs from right to left the groups of a number would change places.
  const isolated = isNumber ? `\u2066${name}\u2069` : name;
  setPartText(row, "member-with", name ? fill(page.texts.with, { name: isolated }) : "");
  setData(part(row, "member-with"), "number", isNumber);
  setPartText(row, "member-number", side ? partyNumber(side, page) : "");
}

function updateStar(row, name, isFavourite, page) {
  const star = part(row, "member-star");
  setAttribute(star, "aria-pressed", isFavourite);
  setAttribute(star, "aria-label", fill(page.texts.favourite, { name }));
  setAttribute(star, "title", fill(page.texts.favourite, { name }));
}
