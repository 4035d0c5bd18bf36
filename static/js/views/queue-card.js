/* One queue: how many wait, how long, who is available, and whether that is all right. */
import { fromTemplate, hide, isDrawn, mark, part, say, setAttribute } from "./dom.js";
import { clock, coming, duration, fill, span, UNKNOWN } from "./format.js";
import { averageNow, longestNow } from "./sums.js";
import { updateRibbon, updateTrend } from "./trend.js";

const MOST_DOTS = 6;

export function makeQueueCard() {
  return fromTemplate("queue-card");
}

/* queue: {number, about, figures, trend, fresh, readAt}; level: unknown, closed, normal, watch or late; isWhole: whether the
card has room for more than waiting and longest wait; page: {now, zone, words}. */
export function updateQueueCard(card, queue, level, isWhole, page) {
  const counts = queue.fresh.isKnown && (queue.figures.waiting > 0 || queue.figures.since > 0);
  const from = [queue.figures, queue.about, queue.trend, queue.fresh.isKnown, queue.fresh.since, level, isWhole];
  if (!isDrawn(card, from, counts, page.now)) draw(card, queue, level, isWhole, page);
}

function draw(card, queue, level, isWhole, page) {
  const name = queue.about ? queue.about.name || queue.about.number : queue.number;
  const isKnown = queue.fresh.isKnown;
  say(card, "queue-card-name", name);
  mark(card, "level", level);
  say(card, "queue-card-word", page.words.levels[level] || "");
  say(card, "queue-card-for", levelSpan(queue, level, page));
  hide(card, "queue-card-waits", !isKnown);
  hide(card, "queue-card-agents", !isKnown);
  hide(card, "queue-card-old", isKnown);
  if (!isKnown) updateUnknown(card, queue, page);
  else updateKnown(card, queue, page);
  if (isKnown && isWhole) updateMore(card, queue.figures, page);
  if (isWhole) updateTrend(part(card, "trend"), isKnown ? queue.trend : null);
  updateRibbon(part(card, "ribbon"), queue.trend);
  setAbout(card, name, page);
}

function updateKnown(card, queue, page) {
  const figures = queue.figures;
  setFigure(card, String(figures.waiting));
  const longest = wait(figures, longestNow(figures, queue.readAt, page.now));
  say(card, "queue-card-longest", longest);
  mark(part(card, "queue-card-longest"), "long", longest.length > 5);
}

function updateMore(card, figures, page) {
  const average = wait(figures, averageNow(figures));
  say(card, "queue-card-average", average);
  mark(part(card, "queue-card-side"), "long", average.length > 5);
  const isStaffed = figures.agents !== null && figures.available !== null;
  const counts = { n: figures.available, of: figures.agents };
  say(card, "queue-card-available", isStaffed ? fill(page.words.available, counts) : page.words.agents_unknown);
  hide(card, "dots", !isStaffed || figures.agents === 0);
  if (isStaffed) updateDots(part(card, "dots"), figures);
}

function updateUnknown(card, queue, page) {
  setFigure(card, UNKNOWN);
  const since = queue.fresh.since && clock(queue.fresh.since, page.zone, page.now);
  say(card, "queue-card-since", since ? fill(page.words.no_data_since, { time: since }) : page.words.no_data_yet);
  say(card, "queue-card-last", queue.figures ? fill(page.words.last_known, { n: queue.figures.waiting }) : "");
}

/* A dash where nobody waits; a question mark where somebody does and the provider does not say how long. */
function wait(figures, seconds) {
  return figures.waiting && seconds === null ? UNKNOWN : duration(seconds);
}

function setFigure(card, text) {
  say(card, "queue-card-figure", text);
  mark(card, "digits", Math.min(4, text.length));
}

/* How long it has been like this, from a minute on; of a closed queue, when it opens. */
function levelSpan(queue, level, page) {
  const figures = queue.figures;
  if (level === "closed") return figures.opens_at ? fill(page.words.opens, { time: coming(figures.opens_at, page.zone, page.now) }) : "";
  if (level === "unknown" || level === "normal" || level !== figures.level || !figures.since) return "";
  const seconds = (page.now - figures.since) / 1000;
  return seconds < 60 ? "" : span(seconds, page.words);
}

/* A dot per agent, filled while available; many agents become one bar. */
function updateDots(dots, figures) {
  const agents = Math.max(figures.agents, figures.available);
  const isBar = agents > MOST_DOTS;
  mark(dots, "shape", isBar ? "bar" : "dots");
  const told = agents + " " + figures.available;
  if (dots.told === told) return;
  dots.told = told;
  dots.textContent = "";
  for (let index = 0; index < (isBar ? 1 : agents); index += 1) {
    const dot = dots.appendChild(document.createElement("i"));
    if (isBar) dot.style.setProperty("--share", String(figures.available / agents));
    else if (index < figures.available) dot.className = "is-filled";
  }
}

function setAbout(card, name, page) {
  const button = part(card, "about");
  if (button) setAttribute(button, "aria-label", fill(page.words.explain, { name }));
}
