/* All that a person's cell could say, for those who point at it or hear the page: also the name behind initials, and since when. */
import { setAttribute } from "../lib/dom.js";
import { clock, fill, UNKNOWN } from "../lib/format.js";

/* cell: as updatePerson left it. */
export function titlePerson(cell, page) {
  const { person, name, word, party, status, news } = cell.details;
  const isTimed = person.since && person.state !== "unknown" && word !== UNKNOWN;
  const state = isTimed ? fill(page.texts.why.since, { level: word, time: clock(person.since, page.zone, page.now) }) : word;
  const title = [name, state, news, party, status].filter(Boolean).join(", ");
  setAttribute(cell, "title", title);
}
