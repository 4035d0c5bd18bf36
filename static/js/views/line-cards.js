/* Cards that show time: callers waiting in the last hour as a line, and the last day as two ribbons of quarter hours. */
import { part, px, setAttribute, setPartText, setText, setVariable } from "../lib/dom.js";
import { clock, fill, UNKNOWN } from "../lib/format.js";
import { GOOD } from "./fit.js";
import { KINDS } from "./card-kinds.js";
import { showLevel } from "./levels.js";
import { isFresh } from "./board-state.js";
import { drawHour } from "./trend.js";
import { countedFor, levelBy, noData, queuesOf, sinceOf } from "./card-scope.js";

const HOUR_MS = 3600000;
const TICKS = 4;
const QUARTER = 15; // minutes
const LEAST = 0.14; // of the height, so that a single minute can be seen

function sizeLabel(node, box, plan) {
  setVariable(node, "--card-font", px(plan.isStack ? 16 : Math.max(GOOD * plan.unit, Math.min(30 * plan.unit, box.height * 0.1))));
}

/* Minute by minute the sum over the queues that were read then; null where none was. */
function sumOf(trends) {
  const known = trends.filter(Boolean);
  return Array.from({ length: known.length ? known[0].waiting.length : 0 }, (unused, index) =>
    known.reduce((sum, each) => (each.waiting[index] === null ? sum : (sum || 0) + each.waiting[index]), null),
  );
}

KINDS.trend = {
  stacked: 140,
  size: sizeLabel,
  update(node, card, data, page) {
    const queues = queuesOf(card, data);
    const known = queues.filter((queue) => queue.fresh.isKnown);
    const isKnown = data.fresh.isKnown && known.length > 0;
    const waiting = known.reduce((sum, queue) => sum + queue.figures.waiting, 0);
    const values = isKnown ? sumOf(known.map((queue) => queue.trend)) : [];
    setPartText(node, "card-title", card.title || page.texts.trend);
    setPartText(node, "card-figure", isKnown ? String(waiting) : UNKNOWN);
    setPartText(node, "card-note", isKnown ? page.texts.windows["60"] : noData(sinceOf(queues, data), page));
    drawHour(part(node, "trend"), values, card.levels && !card.levels.below ? card.levels.late : null);
    showLevel(node, isKnown ? levelBy(card.levels || {}, waiting) : "unknown", page);
  },
};

KINDS.ribbon = {
  stacked: 130,
  size: sizeLabel,
  update(node, card, data, page) {
    const doc = countedFor(card, data);
    const isKnown = isFresh(doc, page.now, data.isSilent) && data.fresh.isKnown;
    setPartText(node, "card-title", card.title || page.texts.ribbon);
    const isBeyond = !doc && page.isLimited && data.fresh.isKnown;
    setPartText(
      node,
      "card-note",
      isKnown ? "" : isBeyond ? page.texts.beyond_limit : noData(data.fresh.isKnown ? doc && doc.at : data.fresh.since, page),
    );
    showLevel(node, isKnown ? levelBy(card.levels || {}, all(doc.late)) : "unknown", page);
    ["late", "nobody"].forEach((name) => lane(part(node, "lane-" + name), isKnown ? doc[name] : [], isKnown, page.texts[name + "_sum"]));
    Array.from(part(node, "ticks").children).forEach((tick, index) => {
      setText(tick, doc ? clock(doc.since + (24 * HOUR_MS * index) / TICKS, page.zone) : "");
    });
  },
};

function all(minutes) {
  return Math.round(minutes.reduce((sum, each) => sum + (each || 0), 0));
}

/* minutes: of each quarter hour how many, or null where nothing was read. */
function lane(node, minutes, isKnown, texts) {
  setPartText(node, "lane-sum", isKnown ? fill(texts, { n: all(minutes) }) : "");
  const svg = node.lastElementChild;
  const heights = [(each) => (each === null ? 0 : 1), (each) => (each ? Math.max(LEAST, Math.min(1, each / QUARTER)) : 0)];
  heights.forEach((heightOf, index) => setAttribute(svg.children[index], "d", slivers(minutes, heightOf)));
}

function slivers(minutes, heightOf) {
  return minutes.reduce((path, each, index) => {
    const height = heightOf(each);
    return height ? path + "M" + (index + 0.1) + " " + (1 - height) + "h.8V1h-.8z" : path;
  }, "");
}
