// The arithmetic of a day that is replayed: moments, places on its timeline, steps, alerts and gaps. No page and no request.

/**
 * All moments are ms since 1970 UTC. `end` is the first moment that is not shown: the end of the day, or of what is recorded of it.
 * @typedef {{begin: number, end: number}} Day
 * @typedef {{begin: number, end: number}} Span
 * @typedef {{at: number}} Mark
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const SHOWN = 2 * SECOND; // after which an alert that was raised stands on boards, and was recorded
const RECORDING = 90 * SECOND; // what was not recorded for longer is a gap

/**
 * The whole second of the day that is nearest.
 * @param {Day} day
 * @param {number} ms
 */
export function within(day, ms) {
  const last = Math.max(day.begin, day.end - SECOND);
  return Math.min(last, Math.max(day.begin, Math.floor(ms / SECOND) * SECOND));
}

/**
 * Where a moment stands, from 0 at the day's begin to 1 at its end.
 * @param {Day} day
 * @param {number} ms
 */
export function shareOf(day, ms) {
  return Math.min(1, Math.max(0, (ms - day.begin) / Math.max(SECOND, day.end - day.begin)));
}

/**
 * The moment at that place.
 * @param {Day} day
 * @param {number} share
 */
export function momentAt(day, share) {
  return within(day, day.begin + share * (day.end - day.begin));
}

/**
 * How far a key goes, in ms; with Shift ten times as far. Infinite for Home and End, 0 for keys that do not move.
 * @param {string} key
 * @param {boolean} isTenfold
 * @param {boolean} isMirrored whether time runs from right to left
 */
export function stepOf(key, isTenfold, isMirrored) {
  const ahead = isMirrored ? -SECOND : SECOND;
  /** @type {Record<string, number>} */
  const steps = {
    ArrowRight: ahead,
    ArrowLeft: -ahead,
    ArrowUp: SECOND,
    ArrowDown: -SECOND,
    PageUp: MINUTE,
    PageDown: -MINUTE,
    Home: -Infinity,
    End: Infinity,
  };
  return (steps[key] || 0) * (isTenfold ? 10 : 1);
}

/**
 * Whether nothing comes after this second.
 * @param {Day} day
 * @param {number} at
 */
export function isAtEnd(day, at) {
  return at >= within(day, day.end);
}

/**
 * The first mark after a moment, or the last before it: `ahead` is 1 or -1. Marks are in the order of time.
 * @template {Mark} T
 * @param {T[]} marks
 * @param {number} at
 * @param {number} ahead
 * @returns {T | undefined}
 */
export function nextMark(marks, at, ahead) {
  const of = (/** @type {T} */ mark) => Math.floor(mark.at / SECOND) * SECOND; // the replay stands on whole seconds
  if (ahead > 0) return marks.find((mark) => of(mark) > at);
  return marks
    .slice()
    .reverse()
    .find((mark) => of(mark) < at);
}

/**
 * The gap that a moment lies in.
 * @template {Span} T
 * @param {T[]} gaps
 * @param {number} at
 * @returns {T | undefined}
 */
export function gapAt(gaps, at) {
  return gaps.find((gap) => gap.begin <= at && at < gap.end);
}

/**
 * The gap as far as it lies within the day, as places from 0 to 1.
 * @param {Day} day
 * @param {Span} gap
 */
export function placed(day, gap) {
  return { begin: shareOf(day, gap.begin), end: shareOf(day, gap.end) };
}

/**
 * A day as the server tells it, for the timeline: its hours that were recorded, with those of its alerts and of the moment that is
 * asked for; of today up to now, without the seconds that are just being recorded.
 * @param {{day: string, begins: number, ends: number, now: number, first: number | null, last: number | null, gaps: number[][],
 *   marks: {late: number[][], nobody: number[][], alerts: {from: number}[]}}} told
 * @param {number} at
 */
export function dayOf(told, at) {
  const now = Math.min(told.ends, told.now);
  const over = told.last !== null && now - told.last < RECORDING ? told.last + SECOND : now;
  const alerts = told.marks.alerts.map((alert) => Object.assign({ at: Math.max(told.begins, alert.from + SHOWN) }, alert));
  const asked = Math.min(Math.max(at, told.begins), over - 1);
  const moments = [told.first, told.last, asked, ...alerts.map((alert) => alert.at)].filter((each) => each !== null);
  if (told.first === null) moments.push(told.begins, over - 1); // an empty day is one whole gap
  const begin = Math.max(told.begins, Math.floor(Math.min(...moments) / QUARTER) * QUARTER);
  const end = Math.max(begin + SECOND, Math.min(over, Math.ceil((Math.max(...moments) + SECOND) / QUARTER) * QUARTER));
  const spans = (/** @type {number[][]} */ pairs) =>
    pairs.map((pair) => ({ begin: pair[0], end: pair[1] })).filter((span) => span.begin < end && span.end > begin);
  return {
    name: told.day,
    begin,
    end,
    gaps: spans(told.gaps),
    late: spans(told.marks.late),
    nobody: spans(told.marks.nobody),
    alerts,
  };
}

/**
 * The times to write below the timeline, at most `most`: its quarters of an hour, or full hours of the clock, every one or so many.
 * @param {Day} day
 * @param {number} most
 * @param {(ms: number) => number} hourOf the hour of the clock there
 * @returns {number[]}
 */
export function hours(day, most, hourOf) {
  const isShort = (day.end - day.begin) / QUARTER <= most;
  const every = [1, 2, 3, 4, 6, 12].find((each) => (day.end - day.begin) / HOUR / each <= most) || 24;
  const found = [];
  for (let at = Math.ceil(day.begin / QUARTER) * QUARTER; at < day.end; at += QUARTER) {
    const isFull = hourOf(at) !== hourOf(at - 1); // zones lie quarters of an hour apart, and a clock that is set back repeats one
    if (isShort || (isFull && hourOf(at) % every === 0)) found.push(at);
  }
  return found;
}

/**
 * A moment as the address tells it, by the clock of a zone: 2026-11-22T10:40:00. Of an hour that the clock shows twice, the second
 * time has its offset as well.
 * @param {number} ms
 * @param {string} zone
 */
export function written(ms, zone) {
  const text = clockText(ms, zone);
  if (clockText(ms - HOUR, zone) !== text) return text;
  const minutes = Math.round((Date.parse(text + "Z") - ms) / MINUTE);
  const two = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, "0");
  return `${text}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/**
 * @param {number} ms
 * @param {string} zone
 */
function clockText(ms, zone) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(ms);
  /** @type {Record<string, string>} */
  const by = Object.fromEntries(parts.map((part) => [part.type, part.value]));
  return `${by.year}-${by.month}-${by.day}T${by.hour}:${by.minute}:${by.second}`;
}
