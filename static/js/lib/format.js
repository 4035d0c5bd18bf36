/* Figures and times as people read them. All moments are milliseconds since 1970 UTC, all zones names of the IANA database. Runs on TVs
of 2020 too. */

export const NONE = "–";
export const UNKNOWN = "?";

/** @typedef {Record<string, any>} Texts a page's texts by name, some of them in groups */
/** @typedef {{now: number, zone: string, texts: Texts}} Page `now` in ms by the server's clock */

/** @type {Intl.DateTimeFormatOptions} */
export const DAY = { year: "numeric", month: "2-digit", day: "2-digit" };
/** @type {Intl.DateTimeFormatOptions} */
const WEEKDAY = { weekday: "short", day: "numeric", month: "short" };
/** @type {Intl.DateTimeFormatOptions} */
export const DATE = { day: "numeric", month: "short" };
export const DAY_MS = 86400000;
export const NEAR_DAYS = 6; // in which the name of a day is clear
const SHORT_NAME = 9;
// Zones of the forms whose names TVs of 2018 refuse, each with one that they know and that has the same time now.
/** @type {Record<string, string>} */
const OLDER_ZONES = {
  "America/Ciudad_Juarez": "America/Denver",
  "America/Coyhaique": "America/Punta_Arenas",
  "America/Nuuk": "America/Noronha", // an hour behind in summer: no zone of 2018 had its summer time
  "Antarctica/DumontDUrville": "Pacific/Port_Moresby",
  "Antarctica/McMurdo": "Pacific/Auckland",
  "Asia/Qostanay": "Asia/Aqtobe",
  "Europe/Kyiv": "Europe/Kiev",
  "Pacific/Kanton": "Pacific/Enderbury",
};
/** @type {Record<string, string>} */
const COMMAS = { ar: "، " }; // as accounts/languages/lists.py has them
const PAGE = typeof document === "undefined" ? null : document.documentElement.dataset;
// The language of the page, by the customs of the reader's country and with the digits of all figures; base.html tells.
export const LOCALE = PAGE ? PAGE.locale : undefined;
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();
/** @type {Map<string, string[]>} */
const texts = new Map();

/**
 * Whole seconds as 4:08, from an hour on as 1:02:05; none as a dash.
 * @param {number | null | undefined} seconds
 */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  if (hours) return hours + ":" + two(minutes) + ":" + two(whole % 60);
  return minutes + ":" + two(whole % 60);
}

/** @param {number} number */
function two(number) {
  return (number < 10 ? "0" : "") + number;
}

/**
 * A span in its largest unit, rounded down: 40 s, 4 min, 2 h.
 * @param {number} seconds
 * @param {Texts} texts seconds, minutes, hours
 */
export function span(seconds, texts) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return fill(texts.seconds, { n: whole });
  if (whole < 3600) return fill(texts.minutes, { n: Math.floor(whole / 60) });
  return fill(texts.hours, { n: Math.floor(whole / 3600) });
}

/* Whether times are written on a clock of 12 hours, as the company has set it; base.html tells. */
export function isTwelveHours() {
  return !!PAGE && PAGE.clock === "12";
}

/**
 * A time of day in `zone`: 08:05 and 16:05, always five letters wide, or 8:05 AM and 4:05 PM. A length has neither.
 * @param {number} ms
 * @param {string} zone
 */
export function time(ms, zone) {
  return formatter(
    "time",
    zone,
    { hour: isTwelveHours() ? "numeric" : "2-digit", minute: "2-digit" },
    (PAGE && PAGE.times) || "en-GB",
  ).format(ms);
}

/* What stands between two things of a line in the page's language. */
export function comma() {
  const language = (PAGE && document.documentElement.lang.split("-")[0]) || "";
  return COMMAS[language] || ", ";
}

/**
 * A moment as the clock on the wall shows it in `zone`; with the day when it is neither today nor within eleven hours.
 * @param {number} ms
 * @param {string} zone
 * @param {number} [now] without, the day is never told
 */
export function clock(ms, zone, now) {
  const isToday = now === undefined || Math.abs(now - ms) < 4e7 || day(ms, zone) === day(now, zone);
  return isToday ? time(ms, zone) : formatter("daymonth", zone, DATE).format(ms) + comma() + time(ms, zone);
}

/**
 * The date, to compare days by.
 * @param {number} ms
 * @param {string} zone
 */
export function day(ms, zone) {
  return formatter("day", zone, DAY).format(ms);
}

/**
 * The day of the week and the date.
 * @param {number} ms
 * @param {string} zone
 */
export function dayName(ms, zone) {
  return formatter("weekday", zone, WEEKDAY).format(ms);
}

/**
 * A moment to come: the time, with the day of the week where it is not today and with the date where that is not enough.
 * @param {number} ms
 * @param {string} zone
 * @param {number} now
 */
export function coming(ms, zone, now) {
  if (day(ms, zone) === day(now, zone)) return time(ms, zone);
  const isNear = ms - now < NEAR_DAYS * DAY_MS;
  return (isNear ? formatter("near", zone, { weekday: "short" }).format(ms) : dayName(ms, zone)) + " " + time(ms, zone);
}

/**
 * In the page's locale (or that one) and the company's zone; making one is slow, so each is stored.
 * @param {string} kind names the options
 * @param {string} zone
 * @param {Intl.DateTimeFormatOptions} options
 * @param {string} [locale]
 * @returns {Intl.DateTimeFormat}
 */
export function formatter(kind, zone, options, locale = LOCALE) {
  const key = kind + " " + zone;
  const made = formats.get(key) || new Intl.DateTimeFormat(locale, Object.assign({ timeZone: knownZone(zone) }, options));
  formats.set(key, made);
  return made;
}

/**
 * The zone by a name that this browser knows; undefined, by which Intl takes the browser's own zone, where it knows none.
 * @param {string} zone
 */
function knownZone(zone) {
  return [zone, OLDER_ZONES[zone]].find(isKnown);
}

/** @param {string | undefined} zone */
function isKnown(zone) {
  try {
    return !!zone && !!new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch (error) {
    return false;
  }
}

/**
 * A person's name for a small place: the first name and the initial of the last, "Ana A."; short ones stay whole.
 * @param {string} name
 */
export function shortName(name) {
  const words = name.trim().split(/\s+/);
  if (words.length < 2 || name.length <= SHORT_NAME) return name;
  return words[0] + " " + Array.from(words[words.length - 1])[0] + ".";
}

/**
 * Puts values where a text has {names}; what is not given becomes nothing.
 * @param {string} text
 * @param {Record<string, any>} values
 */
export function fill(text, values) {
  const pieces = piecesOf(text);
  let filled = pieces[0];
  for (let index = 1; index < pieces.length; index += 2) {
    const value = values[pieces[index]];
    filled += (value === null || value === undefined ? "" : String(value)) + pieces[index + 1];
  }
  return filled.trim();
}

/**
 * What stands between the holes of a text, and their names, in turns.
 * @param {string} text
 */
function piecesOf(text) {
  const known = texts.get(text);
  if (known) return known;
  const pieces = text.split(/\{(\w+)\}/);
  texts.set(text, pieces);
  return pieces;
}

/**
 * Why nothing is known of people and calls.
 * @param {{state?: string, since: number | null}} fresh as freshness.ofEvents gives it
 * @param {Page} page
 */
export function noteOf(fresh, page) {
  if (fresh.state === "starting") return page.texts.events_starting;
  if (!fresh.since) return page.texts.no_data_yet;
  return fill(page.texts.no_data_since, { time: clock(fresh.since, page.zone, page.now) });
}
