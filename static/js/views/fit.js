/* How large everything may be so that the board fills its screen without scrolling. Pure arithmetic: sizes in, sizes out.

Sizes are found by trying: how much width (or, on a tall screen, height) the queues take beside people and calls, and into how
many columns each is laid. What is easiest to read from afar wins. */

const CARDS = [
  { variant: "full", width: 13.9, height: 9.6, worth: 1, most: 60 },
  { variant: "compact", width: 11, height: 4.5, worth: 0.72, most: 28 },
  { variant: "line", width: 18.5, height: 1.9, worth: 0.62, most: 28 },
];
const CELLS = [
  { variant: "tall", width: 5.4, height: 2.6, worth: 1, most: 30 },
  { variant: "flat", width: 10, height: 1.5, worth: 0.96, most: 30 },
  { variant: "name", width: 5.2, height: 1.5, worth: 0.9, most: 30 },
  { variant: "initials", width: 2.2, height: 1.4, worth: 0.8, most: 30, gap: 3 },
  { variant: "square", width: 1, height: 1, worth: 0.5, most: 40, gap: 3 },
];
export const GOOD = 24; // what can be read from five metres, in units of a 1080p screen
const PANEL = { padding: 0.8, head: 1.75, row: 1.5 };
const CALL_ROWS = { least: 3, good: 8, most: 14, letters: 20 };

/* body: {width, height} of the room for cards; counts: {totals, queues, people}, null where the section is not shown.
Answers {totals, queues, people, calls}: a box {x, y, width, height} each, null where it is not shown. */
export function fit(body, counts, hasCalls, unit, gap) {
  const isTall = body.height > body.width;
  const top = counts.totals ? totalsOf(body.width, counts, isTall, unit, gap) : 0;
  const y = top ? top + gap : 0;
  const parts = { queues: counts.queues, people: counts.people, hasCalls };
  const areas = bestBody({ width: body.width, height: body.height - y }, parts, isTall, unit, gap).areas;
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

/* How small the design's 1080p units are in this room. */
export function unitOf(body) {
  return body.height > body.width
    ? Math.min(body.width / 1008, body.height / 1748)
    : Math.min(body.width / 1848, body.height / 908);
}

function totalsOf(width, counts, isTall, unit, gap) {
  const many = counts.queues > 15 || counts.people > 60;
  const columns = isTall ? Math.min(3, counts.totals) : counts.totals;
  const rows = Math.ceil(counts.totals / columns);
  return rows * Math.min((width / columns - gap) / 11, (many ? 21 : 26) * unit) * 5.6 + (rows - 1) * gap;
}

function bestBody(body, parts, isTall, unit, gap) {
  let best = null;
  for (const shares of divisions(parts)) {
    const areas = divide(body, shares, isTall, gap);
    const found = {
      areas,
      queues: parts.queues === null ? null : queuesOf(areas.queues, parts.queues, unit, gap),
      people: parts.people === null ? null : peopleOf(areas.people, parts.people, unit),
      calls: parts.hasCalls ? callsOf(areas.calls, unit) : null,
    };
    found.score = scoreOf(found, unit);
    if (!best || found.score > best.score) best = found;
  }
  return best;
}

/* Every way worth trying to share the body: [queues, people of the rest]. */
function divisions(parts) {
  const hasSide = parts.people !== null || parts.hasCalls;
  const first = parts.queues === null ? [0] : hasSide ? steps(0.3, 0.84, 0.02) : [1];
  const second = parts.people === null ? [0] : parts.hasCalls ? steps(0.3, 0.84, 0.03) : [1];
  const all = [];
  first.forEach((one) => second.forEach((other) => all.push([one, other])));
  return all;
}

function steps(from, to, by) {
  const list = [];
  for (let value = from; value <= to + 0.001; value += by) list.push(value);
  return list;
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

/* Many cards stand closer together. */
export function queuesOf(area, count, unit, gap) {
  return bestGrid(area, Math.max(1, count), CARDS, count > 24 ? gap / 3 : count > 12 ? gap / 2 : gap, unit);
}

/* The shape and the columns that give `count` equal boxes the largest text. */
export function bestGrid(area, count, shapes, gap, unit) {
  let best = null;
  for (const shape of shapes) {
    for (let columns = 1; columns <= count; columns += 1) {
      const rows = Math.ceil(count / columns);
      const width = (area.width - gap * (columns - 1)) / columns;
      const height = (area.height - gap * (rows - 1)) / rows;
      const font = Math.min(width / shape.width, height / shape.height, shape.most * unit);
      const waste = (rows * columns - count) * 0.006;
      const score = font * shape.worth * (1 - waste);
      if (!best || score > best.score) best = { variant: shape.variant, columns, rows, font, score, gap, roominess: width / font, highness: height / font };
    }
  }
  return best;
}

/* The fullest cells whose text can be read from afar; where nothing can be read, a square for each. */
export function peopleOf(area, count, unit) {
  const padding = PANEL.padding * GOOD * unit;
  const inner = { width: area.width - 2 * padding, height: area.height - 2 * padding - PANEL.head * GOOD * unit };
  let best = null;
  for (const shape of CELLS) {
    best = bestGrid(inner, Math.max(1, count), [shape], (shape.gap || 6) * unit, unit);
    if (best.font >= GOOD * unit) break;
  }
  return best;
}

export function callsOf(area, unit) {
  const room = area.height - (2 * PANEL.padding + PANEL.head) * GOOD * unit;
  const roomy = room / (CALL_ROWS.good * PANEL.row);
  const font = Math.min(Math.max(GOOD * unit, Math.min(roomy, 30 * unit)), area.width / CALL_ROWS.letters);
  return { font, rows: Math.max(0, Math.min(CALL_ROWS.most, Math.floor(room / (PANEL.row * font)))) };
}

/* Reaching the good size counts most, growing beyond it a little. */
function scoreOf(found, unit) {
  const worth = (grid) => (grid ? Math.sqrt(Math.min(1, grid.score / (GOOD * unit))) : 1);
  const beyond = (grid) => (grid ? Math.min(2, grid.score / (GOOD * unit)) : 0);
  const calls = found.calls;
  const rows = calls ? Math.min(1, calls.rows / CALL_ROWS.least) * Math.min(1, calls.font / (GOOD * unit)) : 1;
  const more = calls ? Math.min(8, calls.rows) / 8 : 0;
  const reached = 6 * worth(found.queues) + 4 * worth(found.people) + 3 * rows;
  return reached + 2 * beyond(found.queues) + 0.3 * beyond(found.people) + 0.3 * more;
}
