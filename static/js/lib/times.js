// Moments and ages in relation to now, which TVs need not know; lib/format.js has the rest.

import { clock, DATE, DAY, DAY_MS, fill, formatter, NEAR_DAYS } from "./format.js";

/** @typedef {import("./format.js").Texts} Texts */

/** @type {Intl.DateTimeFormatOptions} */
const OTHER_YEAR = { day: "numeric", month: "short", year: "numeric" };

/**
 * An age in its largest unit: under 1 min, 4 min, 2 h, 3 d; hours up to two days.
 * @param {number} ms
 * @param {Texts} texts under_a_minute, minutes, hours, days
 */
export function age(ms, texts) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return texts.under_a_minute;
  if (minutes < 60) return fill(texts.minutes, { n: minutes });
  if (minutes < 48 * 60) return fill(texts.hours, { n: Math.floor(minutes / 60) });
  return fill(texts.days, { n: Math.floor(minutes / 1440) });
}

/**
 * For the head of a line: "Today 09:12", "Yesterday 16:12", "Mon 09:31", "12 Nov, 09:31", "3 Dec 2024".
 * @param {number} ms
 * @param {string} zone
 * @param {number} now
 * @param {Texts} texts today_at, yesterday_at
 */
export function dayClock(ms, zone, now, texts) {
  const then = dateIn(zone, ms);
  const today = dateIn(zone, now);
  const days = Math.round((today.getTime() - then.getTime()) / DAY_MS);
  if (days === 0 || days === 1) return fill(days ? texts.yesterday_at : texts.today_at, { time: clock(ms, zone) });
  const written = (/** @type {string} */ kind, /** @type {Intl.DateTimeFormatOptions} */ options) =>
    formatter(kind, zone, options).format(new Date(ms));
  if (then.getUTCFullYear() !== today.getUTCFullYear()) return written("otheryear", OTHER_YEAR);
  const isNear = days > 0 && days <= NEAR_DAYS;
  return (isNear ? written("near", { weekday: "short" }) + " " : written("daymonth", DATE) + ", ") + clock(ms, zone);
}

/**
 * The calendar's day in that zone, as midnight UTC.
 * @param {string} zone
 * @param {number} ms
 */
function dateIn(zone, ms) {
  /** @type {Record<string, number>} */
  const parts = {};
  const calendar = formatter("calendar", zone, DAY, "en-US-u-ca-gregory-nu-latn");
  for (const { type, value } of calendar.formatToParts(new Date(ms))) parts[type] = Number(value);
  return new Date(Date.UTC(parts.year, parts.month - 1, parts.day));
}

/**
 * A sentence of the server with the times of day in it: "yesterday at {1795082400000}" as "yesterday at 16:12".
 * @param {string} text
 * @param {string} zone
 */
export function withTimes(text, zone) {
  return text.replace(/\{(\d{13})\}/g, (whole, ms) => clock(Number(ms), zone));
}
