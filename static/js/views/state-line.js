/* One line for the whole board: what is wrong with it, or that all is well and since when. */
import { numbersOf } from "../alerts/list.js";
import { clock, fill, span } from "../lib/format.js";

/* {kind: outage, none, trouble or well, text, more: what is said where there is room}; state: what readState gives. */
export function stateOf(state, page) {
  const texts = page.texts.line;
  if (state.isSilent) return outage(texts.silent, state.heardAt || null, page);
  if (!state.poll || !state.poll.read_at) return { kind: "none", text: texts.waiting };
  const failure = page.texts.failures[state.poll.failure];
  if (!state.fresh.isKnown) return outage(failure ? texts.failing : texts.old, state.poll.read_at, page, failure);
  const numbers = numbersOf(state.board.layout);
  const queues = state.queues.filter((queue) => !numbers || numbers.has(queue.number));
  const known = queues.filter((queue) => queue.fresh.isKnown);
  const found = levels(
    known.map((queue) => queue.figures),
    page,
  );
  return found.kind === "trouble" || known.length === queues.length ? found : { kind: "none", text: "" };
}

function outage(text, since, page, why) {
  const time = since ? clock(since, page.zone, page.now) : "";
  return { kind: "outage", text: fill(text, { time, why }), more: page.texts.line.last };
}

function levels(figures, page) {
  const texts = page.texts.line;
  const open = figures.filter((each) => each.reason !== "closed");
  const count = (level) => open.filter((each) => each.level === level).length;
  const trouble = [
    [count("late"), texts.late],
    [count("watch"), texts.watch],
  ].filter((each) => each[0] > 0);
  if (trouble.length) return { kind: "trouble", text: trouble.map((each) => fill(each[1], { n: each[0] })).join(" · ") };
  if (!open.length) return { kind: "none", text: figures.length ? texts.closed : "" };
  const since = open.reduce((last, each) => Math.max(last, each.since || 0), 0);
  const seconds = since && open.every((each) => each.since) ? (page.now - since) / 1000 : 0;
  return { kind: "well", text: seconds < 60 ? texts.well : fill(texts.well_for, { span: span(seconds, page.texts) }) };
}
