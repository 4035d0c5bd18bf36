/* Figures and times as people read them. */

export const NONE = "–";
export const UNKNOWN = "?";

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
  const options = isToday
    ? { hour: "numeric", minute: "2-digit", timeZone: zone }
    : { day: "numeric", month: "short", hour: "numeric", minute: "2-digit", timeZone: zone };
  return format(isToday ? "time" : "daytime", zone, options, ms);
}

export function day(ms, zone) {
  return format("day", zone, { year: "numeric", month: "2-digit", day: "2-digit", timeZone: zone }, ms);
}

function format(kind, zone, options, ms) {
  const key = kind + " " + zone;
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(document.documentElement.lang || undefined, options));
  }
  return formats.get(key).format(new Date(ms));
}

/* Puts values where a text has {names}. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
