// Moments and lengths as people of the floor say them. All moments are milliseconds since 1970 UTC.

/** 4:08, or 1:02:03 from an hour on. */
export function length(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const rest = String(seconds % 60).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes}:${rest}`;
  }
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** How long ago, roughly: "under 1 min", "4 min", "2 h", "3 d". */
export function roughly(ms, words) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) {
    return words.under_a_minute;
  }
  if (minutes < 60) {
    return fill(words.minutes, { n: minutes });
  }
  return minutes < 48 * 60
    ? fill(words.hours, { n: Math.floor(minutes / 60) })
    : fill(words.days, { n: Math.floor(minutes / 1440) });
}

/** A function that writes a moment as 16:12 in the company's time zone. */
export function clockOf(timeZone) {
  const written = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
  return (ms) => written.format(ms);
}

/** The text with each {name} replaced; what is not given becomes nothing. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").trim();
}
