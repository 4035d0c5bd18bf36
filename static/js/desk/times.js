// Moments and lengths as people of the floor say them. All moments are milliseconds since 1970 UTC.

const DAY_MS = 86_400_000;
const A_WEEK = 6; // days in which the name of a day is clear

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

/** A function that writes the time of day in the company's time zone, as the reader does: 16:12 or 4:12 PM. */
export function clockOf(timeZone) {
  const written = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit", timeZone });
  return (ms) => written.format(ms);
}

/** A sentence of the server with the times of day in it: "yesterday at {1795082400000}" as "yesterday at 16:12". */
export function withTimes(text, clock) {
  return text.replace(/\{(\d{13})\}/g, (_, ms) => clock(Number(ms)));
}

/** For the head of a line, the moment and the present given: "Today 9:12", "Yesterday 16:12", "Mon 9:31", "12 Nov", "3 Dec 2024". */
export function dayClockOf(timeZone, words) {
  const time = clockOf(timeZone);
  const format = (options) => new Intl.DateTimeFormat(undefined, { timeZone, ...options });
  const weekday = format({ weekday: "short", hour: "numeric", minute: "2-digit" });
  const thisYear = format({ day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
  const earlier = format({ day: "numeric", month: "short", year: "numeric" });
  return (ms, nowMs) => {
    const [then, today] = [dateIn(timeZone, ms), dateIn(timeZone, nowMs)];
    const days = Math.round((today - then) / DAY_MS);
    if (days === 0 || days === 1) {
      return fill(days ? words.yesterday_at : words.today_at, { time: time(ms) });
    }
    const isThisYear = then.getUTCFullYear() === today.getUTCFullYear();
    return (days > 0 && days <= A_WEEK ? weekday : isThisYear ? thisYear : earlier).format(ms);
  };
}

/** The calendar's day in that zone, as midnight UTC. */
function dateIn(timeZone, ms) {
  const { year, month, day } = Object.fromEntries(
    new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone, year: "numeric", month: "numeric", day: "numeric" })
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return new Date(Date.UTC(year, month - 1, day));
}

/** The text with each {name} replaced; what is not given becomes nothing. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").trim();
}
