/* One person in the list of all: what the phone does, since when and with whom, and what they say of themself. */
import { fromTemplate, hide, part, say, setAttribute, setHidden } from "./dom.js";
import { clock, duration, fill, span, UNKNOWN } from "./format.js";
import { partyOf } from "./parties.js";
import { saidWords } from "./said.js";

export function makeMember() {
  return fromTemplate("member");
}

/* page: {now, zone, words, own, parties}. */
export function updateMember(row, person, isFavourite, isTrusted, page) {
  const state = isTrusted ? person.state : "doubtful";
  setAttribute(row, "data-state", isTrusted && state === "unknown" ? "unseen" : state);
  setAttribute(part(row, "mark"), "data-state", row.getAttribute("data-state"));
  const name = person.name || person.extension;
  say(row, "member-name", name);
  say(row, "member-extension", person.name ? person.extension : "");
  hide(row, "member-you", person.extension !== page.own);
  updateDoing(row, person, isTrusted, page);
  const said = saidWords(person, page);
  const note = said && person.said.note ? " · " + person.said.note : "";
  say(row, "member-said", said ? fill(page.words.says, { what: said + note }) : "");
  updateStar(row, person, name, isFavourite, page);
  const call = part(row, "member-call");
  setAttribute(call, "href", "tel:" + encodeURIComponent(person.extension));
  setAttribute(call, "aria-label", fill(page.words.call, { name, extension: person.extension }));
  setHidden(call, person.extension === page.own);
}

function updateDoing(row, person, isTrusted, page) {
  const isSeen = isTrusted && person.state !== "unknown" && person.since;
  say(row, "member-word", isTrusted ? page.words.presence[person.state] || person.state : UNKNOWN);
  const seconds = isSeen ? (page.now - person.since) / 1000 : 0;
  say(row, "member-time", isSeen ? (person.state === "idle" ? span(seconds, page.words) : duration(seconds)) : "");
  const time = isSeen ? clock(person.since, page.zone, page.now) : "";
  say(row, "member-since", isSeen ? fill(page.words.since_time, { time }) : "");
  const party = isTrusted ? partyOf(person, page.parties, page) : "";
  say(row, "member-with", party ? fill(page.words.with, { name: party }) : "");
}

function updateStar(row, person, name, isFavourite, page) {
  const star = part(row, "member-star");
  setAttribute(star, "aria-pressed", isFavourite);
  setAttribute(star, "aria-label", fill(page.words.favourite, { name }));
  setAttribute(star, "title", fill(page.words.favourite, { name }));
}
