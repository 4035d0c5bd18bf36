/* Figures and times as people read them. */

export const NONE = "–";
export const UNKNOWN = "?";

const TIME = { hour: "numeric", minute: "2-digit" };
const DAY = { year: "numeric", month: "2-digit", day: "2-digit" };
const WEEKDAY = { weekday: "short", day: "numeric", month: "short" };
const DAYTIME = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" };
const SHORT_NAME = 9;
const formats = new Map();

/* Whole seconds as 4:08, from an hour on as 1:02:05; none as a dash. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  const whole = Math.max(0, Math.floor(seconds));
  const two = (number) => (number < 10 ? "0" + number : String(number));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  if (hours) return hours + ":" + two(minutes) + ":" + two(whole % 60);
  return minutes + ":" + two(whole % 60);
}

/* A span in its largest unit, rounded down: 40 s, 4 min, 2 h. */
export function span(seconds, words) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return fill(words.seconds, { n: whole });
  if (whole < 3600) return fill(words.minutes, { n: Math.floor(whole / 60) });
  return fill(words.hours, { n: Math.floor(whole / 3600) });
}

/* A moment as the clock on the wall shows it in `zone`; with the day when it is not today. */
export function clock(ms, zone, now) {
  const isToday = now === undefined || day(ms, zone) === day(now, zone);
  return formatter(isToday ? "time" : "daytime", zone, isToday ? TIME : DAYTIME).format(new Date(ms));
}

/* The same without the words for before and after noon: a clock on a wall needs none. */
export function wallClock(ms, zone) {
  return formatter("time", zone, TIME)
    .formatToParts(new Date(ms))
    .filter((piece) => piece.type === "hour" || piece.type === "minute" || piece.value.trim() === ":")
    .map((piece) => piece.value)
    .join("");
}

export function day(ms, zone) {
  return formatter("day", zone, DAY).format(new Date(ms));
}

/* The day of the week and the date. */
export function dayName(ms, zone) {
  return formatter("weekday", zone, WEEKDAY).format(new Date(ms));
}

/* A moment to come: the time, with the day of the week where it is not today and with the date where that is not enough. */
export function coming(ms, zone, now) {
  if (day(ms, zone) === day(now, zone)) return wallClock(ms, zone);
  const isNear = ms - now < 6 * 86400000;
  return (isNear ? formatter("near", zone, { weekday: "short" }).format(new Date(ms)) : dayName(ms, zone)) + " " + wallClock(ms, zone);
}

/* In the reader's locale and the company's zone; making one is slow, so each is kept. */
function formatter(kind, zone, options) {
  const key = kind + " " + zone;
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(undefined, Object.assign({ timeZone: zone }, options)));
  }
  return formats.get(key);
}

/* A person's name for a small place: the first name and the initial of the last, "Ana A."; short ones stay whole. */
export function shortName(name) {
  const words = name.trim().split(/\s+/);
  if (words.length < 2 || name.length <= SHORT_NAME) return name;
  return words[0] + " " + Array.from(words[words.length - 1])[0] + ".";
}

/* Puts values where a text has {names}. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/* Why nothing is known of people and calls; fresh: freshness.ofEvents. */
export function noteOf(fresh, page) {
  if (fresh.state === "starting") return page.words.events_starting;
  if (!fresh.since) return page.words.no_data_yet;
  return fill(page.words.no_data_since, { time: clock(fresh.since, page.zone, page.now) });
}
