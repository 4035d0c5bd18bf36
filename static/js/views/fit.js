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
];
const GOOD = 24; // what can be read from five metres, in units of a 1080p screen
const PANEL = { padding: 0.8, head: 1.75, row: 1.5 };
const CALL_ROWS = { least: 3, good: 8, most: 14, letters: 20 };

/* size: {width, height} of the whole board; counts: {totals, queues, people}, null where the section is not shown; hasCalls. */
export function fit(size, counts, hasCalls) {
  const isTall = size.height > size.width;
  const unit = isTall ? Math.min(size.width / 1080, size.height / 1920) : Math.min(size.width / 1920, size.height / 1080);
  const gap = Math.max(4, 16 * unit);
  const inner = { width: size.width - 72 * unit, height: size.height - 48 * unit };
  const totals = counts.totals ? totalsOf(inner.width, counts, isTall, unit, gap) : null;
  const taken = 56 * unit + 36 * unit + gap * 2 + (totals ? totals.height + gap : 0);
  const body = { width: inner.width, height: inner.height - taken };
  const parts = { queues: counts.queues, people: counts.people, hasCalls };
  const best = bestBody(body, parts, isTall, unit, gap);
  return Object.assign({ isTall, unit, gap, totals }, best);
}

function totalsOf(width, counts, isTall, unit, gap) {
  const many = counts.queues > 15 || counts.people > 60;
  const columns = isTall ? Math.min(3, counts.totals) : counts.totals;
  const rows = Math.ceil(counts.totals / columns);
  const font = Math.min((width / columns - gap) / 11, (many ? 21 : 26) * unit);
  return { columns, rows, font, height: rows * font * 5.6 + (rows - 1) * gap };
}

function bestBody(body, parts, isTall, unit, gap) {
  let best = null;
  for (const shares of divisions(parts)) {
    const areas = divide(body, shares, isTall, gap);
    const found = {
      areas,
      queues: parts.queues === null ? null : bestGrid(areas.queues, Math.max(1, parts.queues), CARDS, gapOf(parts.queues, gap), unit),
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
    side: { width, height: sideHeight },
  };
}

/* Many cards stand closer together. */
function gapOf(count, gap) {
  return count > 24 ? gap / 3 : count > 12 ? gap / 2 : gap;
}

/* The shape and the columns that give `count` equal boxes the largest text. */
function bestGrid(area, count, shapes, gap, unit) {
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

function peopleOf(area, count, unit) {
  const padding = PANEL.padding * GOOD * unit;
  const head = PANEL.head * GOOD * unit;
  const inner = { width: area.width - 2 * padding, height: area.height - 2 * padding - head };
  return bestGrid(inner, Math.max(1, count), CELLS, 6 * unit, unit);
}

function callsOf(area, unit) {
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
