/* How large things may be in the room they have. Pure arithmetic: sizes in, sizes out. */

export const GOOD = 24; // what can be read from five metres, in units of a 1080p screen
export const PANEL = { padding: 0.8, head: 1.75 }; // around people and calls, in letters of that size

const LARGE = 2; // units; a screen of 4K is also a larger one
const DENSER = 0.8; // of the letters there, so that more is told: 38 px are read from as far as 24 on a small screen

/* How small the design's 1080p units are in this room. */
export function unitOf(body) {
  const unit = body.height > body.width ? Math.min(body.width / 1008, body.height / 1686) : Math.min(body.width / 1848, body.height / 846);
  return unit < LARGE ? unit : unit * DENSER;
}

/* The fullest of these groups of shapes whose text can be read from afar; where none can, the last. gapOf: shape -> px. */
export function fullestGrid(area, count, groups, gapOf, unit) {
  let best = null;
  for (const shapes of groups) {
    best = bestGrid(area, Math.max(1, count), shapes, gapOf(shapes[0]), unit);
    if (best.font >= GOOD * unit) break;
  }
  return best;
}

const FEW = 8; // so many boxes are looked at one by one, and a hole among them is seen

/* The shape and the columns that give `count` equal boxes the largest text. */
export function bestGrid(area, count, shapes, gap, unit) {
  let best = { score: -Infinity };
  for (const shape of shapes) {
    for (let columns = 1; columns <= count; columns += 1) {
      const width = (area.width - gap * (columns - 1)) / columns;
      if (width / shape.width <= best.score) break; // with more columns it only gets narrower
      const rows = Math.ceil(count / columns);
      const height = (area.height - gap * (rows - 1)) / rows;
      const font = Math.min(width / shape.width, height / shape.height, shape.most * unit);
      const waste = (rows * columns - count) * (count <= FEW ? 0.04 : 0.012);
      const score = font * (1 - waste);
      if (score > best.score) best = { shape, columns, rows, font, score, gap, width, height };
    }
  }
  const { shape, width, height, font } = best;
  return Object.assign(best, { variant: shape.variant, worth: shape.worth, roominess: width / font, highness: height / font });
}
