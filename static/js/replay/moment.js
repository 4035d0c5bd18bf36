// A moment of the replay in words: the day in full, and the time to the second.

import { comma, formatter, isTwelveHours } from "../lib/format.js";

/** @type {Intl.DateTimeFormatOptions} */
const DAY = { weekday: "long", day: "numeric", month: "long", year: "numeric" };

/**
 * @param {number} ms
 * @param {string} zone
 */
export function momentName(ms, zone) {
  return `${formatter("replayday", zone, DAY).format(ms)}${comma()}${secondName(ms, zone)}`;
}

/**
 * The time alone.
 * @param {number} ms
 * @param {string} zone
 */
function secondName(ms, zone) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { hour: isTwelveHours() ? "numeric" : "2-digit", minute: "2-digit", second: "2-digit" };
  return formatter("second", zone, options, document.documentElement.dataset.times || "en-GB").format(ms);
}
