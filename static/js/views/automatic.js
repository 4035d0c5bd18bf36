/* The automatic layout: totals on top, then queues beside people and calls, or one under the other on a tall screen.

Sizes are found by trying: how much width (or, on a tall screen, height) the queues take beside people and calls, and into how
many columns each is laid. What is easiest to read from afar wins. */
import { callsOf } from "./calls.js";
import { GOOD } from "./fit.js";
import { KINDS } from "./card-kinds.js";
import { peopleOf } from "./roster-shapes.js";
import { tilesOf } from "./queue-shapes.js";
import { totalShapes } from "./totals.js";

const TOTALS = 5;
const CALL_ROWS = 3; // fewer are no list
const SECTIONS = { totals: "totals", queues: "tiles", people: "people", calls: "calls" };

/* The cards have their section's name for an id. */
function cards(layout) {
  return layout.sections.map((name, y) => ({
    id: name,
    kind: SECTIONS[name],
    x: 0,
    y,
    title: "",
    size: "normal",
    queues: name === "queues" ? layout.queues : null,
    people: null,
    levels: null,
  }));
}

function boxes(layout, data, room, unit, gap, page) {
  const has = (name) => layout.sections.includes(name);
  const counts = {
    totals: has("totals") ? TOTALS : 0,
    queues: has("queues") ? data.queues : null,
    people: has("people") ? data.people : null,
  };
  const places = fitted(room, counts, has("calls"), unit, gap, page);
  return cards(layout).map((card) => Object.assign({ card }, places[card.id]));
}

/* body: {width, height} of the room for cards; counts: {totals: how many, queues, people: lists, null where not shown}.
Answers {totals, queues, people, calls}: a box {x, y, width, height} each, null where it is not shown. */
function fitted(body, counts, hasCalls, unit, gap, page) {
  const isTall = body.height > body.width;
  const top = counts.totals ? totalsOf(body.width, counts, isTall, unit, gap) : 0;
  const y = top ? top + gap : 0;
  const parts = { queues: counts.queues, people: counts.people, hasCalls };
  const areas = bestBody({ width: body.width, height: body.height - y }, parts, isTall, unit, gap, page).areas;
  const at = (area, x, below) => (area ? { x, y: y + below, width: area.width, height: area.height } : null);
  const taken = counts.queues === null ? 0 : (isTall ? areas.queues.height : areas.queues.width) + gap;
  const side = [isTall ? 0 : taken, isTall ? taken : 0];
  return {
    totals: top ? { x: 0, y: 0, width: body.width, height: top } : null,
    queues: at(counts.queues === null ? null : areas.queues, 0, 0),
    people: at(counts.people === null ? null : areas.people, side[0], side[1]),
    calls: at(hasCalls ? areas.calls : null, side[0], side[1] + (counts.people === null ? 0 : areas.people.height + gap)),
  };
}

function totalsOf(width, counts, isTall, unit, gap) {
  const many = lengthOf(counts.queues) > 15 || lengthOf(counts.people) > 60;
  const columns = isTall ? Math.min(3, counts.totals) : counts.totals;
  const rows = Math.ceil(counts.totals / columns);
  const room = width / columns - gap;
  const [usual, tall] = totalShapes();
  const shape = room / usual.width < GOOD * unit ? tall : usual;
  return rows * Math.min(room / shape.width, (many ? 24 : 26) * unit) * shape.height + (rows - 1) * gap;
}

function lengthOf(list) {
  return list ? list.length : 0;
}

function bestBody(body, parts, isTall, unit, gap, page) {
  let best = null;
  for (const shares of divisions(parts)) {
    const areas = divide(body, shares, isTall, gap);
    const found = {
      areas,
      queues: parts.queues === null ? null : tilesOf(areas.queues, parts.queues, unit, gap, page),
      people: parts.people === null ? null : peopleOf(areas.people, parts.people, unit, page),
      calls: parts.hasCalls ? callsOf(areas.calls, unit) : null,
    };
    found.score = scoreOf(found, unit, isTall);
    if (!best || found.score > best.score) best = found;
  }
  return best;
}

/* Every way worth trying to share the body: [queues, people of the rest]. */
function divisions(parts) {
  const hasSide = parts.people !== null || parts.hasCalls;
  const first = parts.queues === null ? [0] : hasSide ? tried(parts.queues, 0.02) : [1];
  const second = parts.people === null ? [0] : parts.hasCalls ? tried(parts.people, 0.03) : [1];
  const all = [];
  first.forEach((one) => second.forEach((other) => all.push([one, other])));
  return all;
}

/* Of nothing there is no best size: an empty list has its half, with what comes next. */
function tried(list, by) {
  const shares = [];
  for (let share = 0.3; share <= 0.841; share += by) shares.push(share);
  return list.length ? shares : [0.55];
}

/* Beside each other on a wide screen, with calls under people; one under the other on a tall one. */
function divide(body, shares, isTall, gap) {
  const cut = (length, share) => (share === 0 ? 0 : share === 1 ? length : Math.floor((length - gap) * share));
  const rest = (length, taken) => (taken === 0 ? length : Math.max(0, length - taken - gap));
  const along = isTall ? body.height : body.width;
  const queues = cut(along, shares[0]);
  const side = rest(along, queues);
  const sideHeight = isTall ? side : body.height;
  const people = cut(sideHeight, shares[1]);
  const width = isTall ? body.width : side;
  return {
    queues: isTall ? { width, height: queues } : { width: queues, height: body.height },
    people: { width, height: people },
    calls: { width, height: rest(sideHeight, people) },
  };
}

/* That everything can be read from afar counts most, then how much is told of each, growing beyond that a little. On a wide
screen a short list of calls costs people few rows; on a tall one it would cost them half of theirs. */
function scoreOf(found, unit, isTall) {
  const readable = (grid) => (grid ? Math.min(1, grid.font / (GOOD * unit)) : 1);
  const worth = (grid) => (grid ? Math.sqrt(grid.worth * readable(grid)) : 1);
  const beyond = (grid) => (grid ? Math.min(2.5, (grid.worth * grid.score) / (GOOD * unit)) : 0);
  const calls = found.calls;
  const rows = calls ? Math.min(1, calls.rows / CALL_ROWS) * calls.whole : 1;
  const more = calls ? Math.min(8, calls.rows) / 8 : 0;
  const reached =
    100 * (readable(found.queues) + (calls ? (calls.rows > 0 ? readable(calls) : 1 + calls.rows) : 1)) +
    24 * worth(found.queues) +
    12 * worth(found.people) +
    (isTall ? 3 : 9) * rows;
  return reached + 3 * beyond(found.queues) + 0.3 * beyond(found.people) + 0.3 * more;
}

KINDS.automatic = { cards, boxes };
