/* How much room a queue's card needs for its parts, in letters, and how large its figure may be. Measured, not assumed. */
import { fullestGrid } from "./fit.js";
import { span } from "../lib/format.js";
import { nameOf } from "./card-scope.js";
import { remembered, widest, widthOf } from "./ruler.js";

const FIGURE = 4.1; // of the number waiting; what else a card has room for lets it grow
const MIDDLE = 4; // of the number in a card without the last hour, and of the wait beside it
const MIDDLE_WAIT = 0.36;
const LARGEST = 8;
const UPRIGHT = 6.2; // lines more where the wait stands below the figure and a state may take two
const TREND = 1.9; // height of the last hour, at least
const WAIT = 0.42; // of the longest wait beside that number
const GAP = 0.8; // between the two
const SHAPE = 1.3; // of a state, with its space
const NAME = 1.12;
const LINE = 1.25;
const LONGEST = 16; // width of a name's line: what would need more is cut
const LONG_NAME = 9; // its width; a longer one is cut where every queue has but one line, and only there

/* The widths of what a card must have room for in this language. */
function widthsOf(page) {
  const texts = page.texts;
  const wait = widthOf("00:00", true);
  const state = widest([texts.levels.late, texts.levels.watch], true) + widthOf(" " + texts.for_span.replace("{span}", span(3540, texts)));
  return {
    digit: widthOf("0", true),
    wait,
    longest: widthOf(texts.longest),
    average: widthOf("00:00 " + texts.average),
    available: widthOf(texts.available.replace("{n}", "00").replace("{of}", "00")),
    state: SHAPE + state,
    few: Math.max(
      wait * 1.25,
      SHAPE +
        widest(
          Object.keys(texts.levels).map((level) => texts.levels[level]),
          true,
        ),
      widthOf(texts.last_values, true),
    ),
  };
}

/* Names of one line, and of two where that lets everything be larger. */
function lines(shape, names, factor) {
  const width = (list) => Math.max(shape.width, Math.max(0, ...list) * factor + shape.pad);
  const one = Object.assign({}, shape, { width: width([widest(names, true)]), lines: 1 });
  const two = Object.assign({}, shape, { width: width(names.map(halved)), height: shape.height + LINE * factor, lines: 2 });
  return [one, two];
}

/* The least width in which a name has two lines; one that goes on and on does not make the whole wall small. */
export function halved(name) {
  if (name.length > 4 * LONGEST) return LONGEST;
  const words = name.split(/\s+/);
  const at = (index) => Math.max(widthOf(words.slice(0, index).join(" "), true), widthOf(words.slice(index).join(" "), true));
  return words.reduce((least, word, index) => Math.min(least, at(index + 1)), Math.min(LONGEST, widthOf(name, true))) + 0.1;
}

function shapesOf(names, page) {
  const widths = widthsOf(page);
  const beside = (figure) => Math.max(widths.wait * figure * WAIT, widths.longest);
  const whole = 2 * widths.digit * FIGURE + GAP + Math.max(beside(FIGURE), widths.average);
  const some = 2 * widths.digit * MIDDLE + GAP + Math.max(widths.wait * MIDDLE * MIDDLE_WAIT, widths.longest);
  const few = 2 * widths.digit * 2.4 + 0.6 + widths.few;
  const line = 4 * widths.digit + widths.wait + SHAPE + 2.6;
  const full = {
    variant: "full",
    figure: FIGURE,
    pad: 1.9,
    width: 1.9 + Math.max(whole, widths.available, widths.state),
    height: 12.95,
    worth: 1,
    most: 60,
  };
  const upright = 1.9 + Math.max(2 * widths.digit * FIGURE, widths.wait * FIGURE * WAIT, widths.average, widths.available, widths.state);
  const tall = Object.assign({}, full, { isUpright: true, width: upright, height: full.height + UPRIGHT });
  const middle = {
    variant: "middle",
    figure: MIDDLE,
    pad: 1.9,
    width: 1.9 + Math.max(some, widths.state),
    height: 9.1,
    worth: 0.85,
    most: 40,
  };
  const compact = { variant: "compact", figure: 2.4, pad: 1.6, width: 1.6 + few, height: 5.2, worth: 0.72, most: 32 };
  const row = { variant: "line", figure: 1.5, pad: 1.4, width: line + widest(names, true), height: 1.74, worth: 0.5, most: 28, lines: 1 };
  const rows = Object.assign({}, row, { width: line + Math.max(0, ...names.map(halved)), height: 2.85, worth: 0.45, lines: 2 });
  const cut = Object.assign({}, row, { width: Math.min(row.width, line + LONG_NAME), worth: 0.01 });
  return [
    lines(full, names, NAME).concat(lines(tall, names, NAME)),
    lines(middle, names, NAME),
    lines(compact, names, 1),
    [row, rows],
    [cut],
  ];
}

const shapesFor = remembered((queues, page) => shapesOf(queues.map(nameOf), page));

/* Many cards stand closer together. Answers what fullestGrid does. */
export function tilesOf(area, queues, unit, gap, page) {
  const close = queues.length > 24 ? gap / 3 : queues.length > 12 ? gap / 2 : gap;
  return fullestGrid(area, queues.length, shapesFor(queues, page), () => close, unit);
}

/* Of the number waiting and of the line of the last hour, in the card's letters: as large as what is left over lets them be. */
export function sizesOf(found, page) {
  const widths = widthsOf(page);
  const shape = found.shape;
  const spare = Math.max(0, found.highness - shape.height);
  const room = found.roominess - shape.pad;
  const beside = {
    full: (figure) => Math.max(widths.wait * figure * WAIT, widths.average),
    middle: (figure) => Math.max(widths.wait * figure * MIDDLE_WAIT, widths.longest),
    compact: () => widths.few,
    line: () => 0,
  }[shape.variant];
  const fits = (figure) => 2 * widths.digit * figure + (shape.isUpright ? 0 : GAP + beside(figure)) <= room;
  let figure = Math.min(LARGEST, shape.figure + spare * (shape.isUpright ? 0.45 : shape.variant === "full" ? 0.6 : 0.9));
  while (figure > shape.figure && !fits(figure)) figure -= 0.1;
  return { figure, trend: Math.max(TREND, TREND + spare - (figure - shape.figure) * (shape.isUpright ? 1.47 : 1)) };
}
