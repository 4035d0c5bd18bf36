// Two people changed the same board: what they did apart from each other goes together by itself, card by card; what both
// changed is asked. Pure: contents {name, theme, notice, time_zone, language, layout} in, one content out.

import { isGrid, same } from "./values.js";
import { settled } from "./placement.js";

const FIELDS = ["name", "theme", "notice", "time_zone", "language"];
const AUTOMATIC = ["sections", "queues"];

/**
 * base: what both began with. Answers {content, changes, conflicts}: `changes` is what the others did and was kept, as
 * {what, card | field}; a conflict is {key, kind: "card" | "field" | "layout", theirs, mine}, null where it was removed.
 * `choices` maps the keys of conflicts to "theirs" or "mine"; until one is made, mine stands.
 */
export function merge(base, theirs, mine, { choices = {}, mostRows = 24, leastOf = () => ({ w: 1, h: 1 }) } = {}) {
  const result = { changes: [], conflicts: [], choices };
  const content = {};
  for (const field of FIELDS) content[field] = mergedValue(field, base, theirs, mine, result);
  content.layout = layoutOf(base.layout, theirs.layout, mine.layout, result, { mostRows, leastOf });
  return { content, changes: result.changes, conflicts: result.conflicts };
}

/** One value: whoever changed it wins; where both did, it is asked. */
function mergedValue(field, base, theirs, mine, result) {
  if (same(base[field], theirs[field]) || same(theirs[field], mine[field])) return mine[field];
  if (same(base[field], mine[field])) {
    result.changes.push({ what: "settings", field });
    return theirs[field];
  }
  return chosen({ key: field, kind: "field", field, theirs: theirs[field], mine: mine[field] }, result);
}

function chosen(conflict, result) {
  result.conflicts.push(conflict);
  return result.choices[conflict.key] === "theirs" ? conflict.theirs : conflict.mine;
}

function layoutOf(base, theirs, mine, result, limits) {
  if (same(theirs, mine) || same(base, theirs)) return mine;
  const forms = [base, theirs, mine].map(isGrid);
  if (forms[1] && forms[2]) return gridOf(forms[0] ? base : { rows: theirs.rows, cards: [] }, theirs, mine, result, limits);
  if (forms.every((form) => !form)) return automaticOf(base, theirs, mine, result);
  if (same(base, mine)) {
    result.changes.push({ what: "arranged" });
    return theirs;
  }
  return chosen({ key: "layout", kind: "layout", theirs, mine }, result);
}

function automaticOf(base, theirs, mine, result) {
  const layout = {};
  for (const field of AUTOMATIC) layout[field] = mergedValue(field, base, theirs, mine, result);
  return layout;
}

function gridOf(base, theirs, mine, result, limits) {
  const rows = mergedValue("rows", base, theirs, mine, result);
  const byId = (layout) => new Map(layout.cards.map((card) => [card.id, card]));
  const sides = { base: byId(base), theirs: byId(theirs), mine: byId(mine) };
  const ids = [...new Set([...sides.theirs.keys(), ...sides.mine.keys(), ...sides.base.keys()])];
  const cards = ids.map((id) => cardOf(id, sides, result)).filter(Boolean);
  // What others placed stays where they see it; what is mine alone makes room.
  const isMine = (card) => !same(card, sides.theirs.get(card.id));
  const ordered = [...cards.filter((card) => !isMine(card)), ...cards.filter(isMine)];
  const found = settled(ordered, rows, limits.mostRows, limits.leastOf);
  found.movedIds.forEach((id) => result.changes.push({ what: "made_room", card: cards.find((card) => card.id === id) }));
  found.lost.forEach((card) => result.changes.push({ what: "left_out", card }));
  return { rows: found.rows, cards: found.cards };
}

function cardOf(id, sides, result) {
  const [base, theirs, mine] = [sides.base.get(id), sides.theirs.get(id), sides.mine.get(id)];
  if (same(base, theirs) || same(theirs, mine)) return mine;
  if (same(base, mine)) {
    result.changes.push({ what: whatHappened(base, theirs), card: theirs || base });
    return theirs;
  }
  return chosen({ key: "card " + id, kind: "card", theirs: theirs || null, mine: mine || null }, result);
}

function whatHappened(base, theirs) {
  if (!theirs) return "removed";
  if (!base) return "added";
  const place = ["x", "y", "w", "h"];
  const isPlaced = place.some((key) => base[key] !== theirs[key]);
  const rest = (card) => Object.fromEntries(Object.entries(card).filter(([key]) => !place.includes(key)));
  return isPlaced && same(rest(base), rest(theirs)) ? "moved" : "changed";
}
