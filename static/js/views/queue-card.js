/* One queue: how many wait, how long, who is available, and whether that is all right. */
import { fromTemplate, hidePart, isDrawn, part, setAttribute, setData, setPartText, setVariable } from "../lib/dom.js";
import { clock, coming, duration, fill, span, UNKNOWN } from "../lib/format.js";
import { averageNow, longestNow } from "./sums.js";
import { learningSince, updateRibbon, updateTrend } from "./trend.js";

const MOST_DOTS = 6;
const HOUR = 3600;

export function makeQueueCard() {
  return fromTemplate("queue-card");
}

/* queue: {number, about, figures, trend, fresh, readAt}; level: unknown, closed, normal, watch or late; variant: how much the
card has room for; page: {now, zone, texts}. */
export function updateQueueCard(card, queue, level, variant, page) {
  const counts = queue.fresh.isKnown && (queue.figures.waiting > 0 || queue.figures.since > 0);
  const from = [queue.figures, queue.about, queue.trend, queue.fresh.isKnown, queue.fresh.since, level, variant];
  if (!isDrawn(card, from, counts, page.now)) draw(card, queue, level, variant, page);
}

function draw(card, queue, level, variant, page) {
  const isWhole = /full|glance/.test(variant);
  const name = queue.about ? queue.about.name || queue.about.number : queue.number;
  const isKnown = queue.fresh.isKnown;
  const isShown = isKnown || isLastKnown(queue);
  setPartText(card, "queue-card-name", name);
  setData(card, "level", level);
  setData(card, "last", isShown && !isKnown);
  setPartText(card, "queue-card-word", wordOf(queue, level, page));
  setPartText(card, "queue-card-for", levelSpan(queue, level, page));
  if (card.isShown !== isShown) showFigures(card, isShown);
  if (isShown) updateKnown(card, queue, variant, page);
  else updateUnknown(card, queue, page);
  if (isShown && isWhole) updateMore(card, queue.figures, page);
  if (isWhole) updateHour(card, isKnown ? queue.trend : null, queue, page);
  updateRibbon(part(card, "ribbon"), queue.trend);
  setAbout(card, name, page);
}

function showFigures(card, isShown) {
  card.isShown = isShown;
  hidePart(card, "queue-card-waits", !isShown);
  hidePart(card, "queue-card-agents", !isShown);
  hidePart(card, "queue-card-last", isShown);
}

function updateHour(card, trend, queue, page) {
  updateTrend(part(card, "trend"), trend, targetOf(queue));
  if (card.trend !== trend) card.since = learningSince(trend);
  card.trend = trend;
  const since = card.since;
  setPartText(card, "queue-card-learning", since ? fill(page.texts.learning, { time: clock(since, page.zone, page.now) }) : "");
  if (since) setVariable(part(card, "queue-card-learning"), "--minutes", String((trend.until - since) / 60000));
}

/* In an outage the last figures stay, dimmed and hatched: the banner tells since when. A queue that the provider alone stopped
naming has none worth showing. */
function isLastKnown(queue) {
  return Boolean(queue.figures) && !queue.figures.missing_since;
}

function targetOf(queue) {
  const targets = queue.about && queue.about.targets && queue.about.targets.waiting;
  return targets ? targets[1] || targets[0] : null;
}

function updateKnown(card, queue, variant, page) {
  const figures = queue.figures;
  setFigure(card, String(figures.waiting));
  const now = queue.fresh.isKnown ? page.now : queue.readAt; // an old wait does not go on
  const seconds = longestNow(figures, queue.readAt, now);
  // In a line "1:06:40" takes the room of the name: there an hour is told without its minutes.
  const longest = variant === "line" && seconds >= HOUR ? span(seconds, page.texts) : wait(figures, seconds);
  setPartText(card, "queue-card-longest", longest);
  setData(part(card, "queue-card-longest"), "long", longest.length > 5);
}

function updateMore(card, figures, page) {
  setPartText(card, "queue-card-average", wait(figures, averageNow(figures)));
  const isStaffed = figures.agents !== null && figures.available !== null;
  const counts = { n: figures.available, of: figures.agents };
  setPartText(card, "queue-card-available", isStaffed ? fill(page.texts.available, counts) : page.texts.agents_unknown);
  hidePart(card, "dots", !isStaffed || figures.agents === 0);
  if (isStaffed) updateDots(part(card, "dots"), figures);
}

function updateUnknown(card, queue, page) {
  setFigure(card, UNKNOWN);
  setPartText(card, "queue-card-last", queue.figures ? fill(page.texts.last_known, { n: queue.figures.waiting }) : "");
}

/* A dash where nobody waits; a question mark where somebody does and the provider does not say how long. */
function wait(figures, seconds) {
  return figures.waiting && seconds === null ? UNKNOWN : duration(seconds);
}

function setFigure(card, text) {
  setPartText(card, "queue-card-figure", text);
  setData(card, "digits", Math.min(5, text.length));
}

function wordOf(queue, level, page) {
  if (level !== "unknown") return page.texts.levels[level] || "";
  if (isLastKnown(queue)) return page.texts.last_values;
  return queue.fresh.since
    ? fill(page.texts.no_data_since, { time: clock(queue.fresh.since, page.zone, page.now) })
    : page.texts.no_data_yet;
}

/* How long it has been like this, from a minute on; of a closed queue, when it opens. */
function levelSpan(queue, level, page) {
  const figures = queue.figures;
  if (level === "closed") return figures.opens_at ? fill(page.texts.opens, { time: coming(figures.opens_at, page.zone, page.now) }) : "";
  if (level === "unknown" || level === "normal" || level !== figures.level || !figures.since) return "";
  const seconds = (page.now - figures.since) / 1000;
  return seconds < 60 ? "" : fill(page.texts.for_span, { span: span(seconds, page.texts) });
}

/* A dot per agent, filled while available; many agents become one bar. */
function updateDots(dots, figures) {
  const agents = Math.max(figures.agents, figures.available);
  const isBar = agents > MOST_DOTS;
  setData(dots, "shape", isBar ? "bar" : "dots");
  const count = isBar ? 1 : agents;
  if (dots.count !== count || dots.isBar !== isBar) {
    dots.count = count;
    dots.isBar = isBar;
    dots.textContent = "";
    for (let index = 0; index < count; index += 1) dots.appendChild(document.createElement("i"));
    dots.filled = undefined;
  }
  const filled = isBar ? figures.available / agents : figures.available;
  if (dots.filled === filled) return;
  dots.filled = filled;
  if (isBar) setVariable(dots.firstElementChild, "--share", String(filled));
  else Array.from(dots.children).forEach((dot, index) => dot.classList.toggle("is-filled", index < filled));
}

function setAbout(card, name, page) {
  const button = part(card, "about");
  if (button) setAttribute(button, "aria-label", fill(page.texts.explain, { name }));
}
