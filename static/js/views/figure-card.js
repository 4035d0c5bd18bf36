/* Cards with one large figure or one text: single figure, callers to call back, clock, notice, text, picture. */
import { part, px, setAttribute, setData, setHidden, setText, setVariable } from "../lib/dom.js";
import { dayName, duration, fill, isTwelveHours, NONE, time, UNKNOWN } from "../lib/format.js";
import { GOOD } from "./fit.js";
import { KINDS } from "./card-kinds.js";
import { showLevel } from "./levels.js";
import { isFresh } from "./board-state.js";
import { countedFor, levelBy, noData } from "./card-scope.js";
import { figureValue, rangeOf, WAITS } from "./figure-values.js";

const SHARE = { small: 0.6, normal: 1, large: 1 };
const MOST = { small: 110, normal: 210, large: 1000 }; // px of the figure on a 1080p screen
const WIDE = 0.6; // of a digit beside its height
const LETTER = 0.56; // width of a letter beside its height, with some room for texts that do not break
const LINE = 1.22;
const NARROW = 13; // letters; a title may need a second line
const FLAT = 3.9; // a card less high than so many lines has its figure beside its title

/* The label is as small as can still be read from afar; the figure takes what is left. */
function sizeFigure(node, box, plan, count, size) {
  const label = plan.isStack ? 16 : Math.max(GOOD * plan.unit, Math.min(34 * plan.unit, box.height * 0.11));
  const isFlat = box.height < FLAT * label;
  const letters = Math.max(3, node.letters || 0);
  const isNarrow = !isFlat && box.width < NARROW * label;
  const room = { width: box.width - 1.9 * label, height: box.height - (isFlat ? 0.5 : isNarrow ? 5.5 : 4.3) * label };
  const wide = isFlat ? room.width * 0.42 : room.width;
  const most = MOST[size] * plan.unit;
  const font = Math.max(label, Math.min(room.height, wide / (letters * WIDE), most) * SHARE[size]);
  setVariable(node, "--card-font", px(label));
  setVariable(node, "--figure-font", px(font));
  setData(node, "flat", isFlat);
  setData(node, "narrow", isNarrow);
}

/* told: {title, text, note, level}, where it is unknown with {since, why}. */
function showFigure(node, told, page) {
  setText(part(node, "card-title"), told.title);
  showLevel(node, told.level, page);
  setText(part(node, "card-figure"), told.text);
  setText(part(node, "card-note"), told.level === "unknown" ? page.texts.whys[told.why] || noData(told.since, page) : told.note || "");
}

KINDS.figure = {
  stacked: 150,
  count: (card, data) => figureLetters(card, data),
  size: (node, box, plan, count) => sizeFigure(Object.assign(node, { letters: count }), box, plan, count, box.card.size),
  update(node, card, data, page) {
    const told = figureValue(card, data, page);
    showFigure(
      node,
      Object.assign(told, { title: card.title || page.texts[card.window === "now" ? "figures" : "figures_over_time"][card.figure] }),
      page,
    );
  },
};

/* Room for four digits of a wait: nothing jumps at ten minutes. */
function figureLetters(card, data) {
  const isWait = WAITS.includes(card.figure);
  const doc = data.figures.get("figure:" + card.id);
  if (card.window === "ahead") return Math.max(isWait ? 10 : 6, rangeOf(card, doc).length);
  const length = card.figure === "service_level" ? 6 : isWait ? 5 : 3;
  return doc && isWait && doc.value >= 3600 ? 7 : length;
}

KINDS.callbacks = {
  stacked: 150,
  size: (node, box, plan) => sizeFigure(node, box, plan, 3, box.card.size),
  update(node, card, data, page) {
    const doc = countedFor(card, data);
    const texts = page.texts;
    const trust = data.callEvents;
    const isKnown = trust.isKnown && isFresh(doc, page.now, data.isSilent) && doc.open !== null;
    const told = {
      title: card.title || texts.to_call_back,
      text: UNKNOWN,
      level: "unknown",
      since: trust.isKnown ? doc && doc.at : trust.since,
      why: doc && doc.why,
    };
    if (trust.isKnown && !doc && page.isLimited) {
      Object.assign(told, { text: NONE, note: texts.beyond_limit, level: "normal" });
    } else if (isKnown) {
      const note = doc.oldest_at && fill(texts.oldest, { age: duration((page.now - doc.oldest_at) / 1000) });
      Object.assign(told, { text: String(doc.open), note, level: levelBy(card.levels || {}, doc.open) });
    }
    showFigure(node, told, page);
  },
};

KINDS.clock = {
  stacked: 110,
  size: (node, box, plan) => sizeFigure(Object.assign(node, { letters: isTwelveHours() ? 8 : 5 }), box, plan, 5, box.card.size),
  update(node, card, data, page) {
    const zone = card.zone || page.zone;
    const title = card.title || (card.zone ? card.zone.split("/").pop().replace(/_/g, " ") : page.texts.clock);
    showFigure(node, { title, text: time(page.now, zone), note: dayName(page.now, zone), level: "normal" }, page);
  },
};

KINDS.text = {
  size(node, box, plan, count) {
    const good = GOOD * plan.unit;
    const room = { width: box.width - 1.8 * good, height: box.height - (box.card.title ? 2.4 : 1.1) * good };
    const most = { small: 34, normal: 60, large: 200 }[box.card.size] * plan.unit;
    let font = most;
    while (font > good && linesOf(count, room.width / font) * font * LINE > room.height) font *= 0.95;
    setVariable(node, "--card-font", px(good));
    setVariable(node, "--text-font", px(Math.max(font, good)));
    setData(node, "line", room.height < 2 * LINE * good ? "one" : "many");
  },
  count: textOf,
  update(node, card, data) {
    const title = part(node, "card-title");
    setHidden(title.parentElement, !card.title);
    setText(title, card.title);
    setText(part(node, "card-text"), textOf(card, data));
  },
};

/* How many lines a text takes where so many letter heights are beside each other. */
function linesOf(text, width) {
  return text.split("\n").reduce((lines, each) => lines + Math.max(1, Math.ceil((each.length * LETTER) / width)), 0);
}

function textOf(card, data) {
  return card.text || (card.kind === "notice" && data.board.notice) || "";
}

KINDS.image = {
  stacked: 200,
  size: (node, box, plan) => setVariable(node, "--card-font", px(GOOD * plan.unit)),
  update(node, card, data, page) {
    const picture = part(node, "card-picture");
    const path = (data.board.images || {})[card.image];
    setHidden(picture, !path);
    if (path) setAttribute(picture, "src", page.images + path);
    setAttribute(picture, "alt", card.title);
    setData(node, "fit", card.fit);
  },
};

KINDS.notice = KINDS.text;
