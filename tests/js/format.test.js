// Figures and times as people read them; readers' locales and zones are tried in a browser (tests/desk/test_time_phrases.py).

import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, duration, fill, NONE, noteOf, shortName, span } from "../../static/js/lib/format.js";
import { age, dayClock, withTimes } from "../../static/js/lib/times.js";

const UNITS = { under_a_minute: "under 1 min", seconds: "{n} s", minutes: "{n} min", hours: "{n} h", days: "{n} d" };
const MINUTE = 60_000;

test("durations count minutes, from an hour on hours", () => {
  const cases = { 0: "0:00", 59.9: "0:59", 248: "4:08", 3599: "59:59", 3600: "1:00:00", 3725: "1:02:05" };

  for (const [seconds, text] of Object.entries(cases)) assert.equal(duration(Number(seconds)), text);
  assert.equal(duration(-3), "0:00");
  assert.equal(duration(null), NONE);
});

test("spans and ages are told in their largest unit", () => {
  assert.deepEqual(
    [40, 60, 3599, 7200].map((seconds) => span(seconds, UNITS)),
    ["40 s", "1 min", "59 min", "2 h"],
  );
  assert.deepEqual(
    [0, 59, 120, 47 * 60, 48 * 60].map((minutes) => age(minutes * MINUTE, UNITS)),
    ["under 1 min", "59 min", "2 h", "47 h", "2 d"],
  );
});

test("a moment has its day once its time alone could mean another", () => {
  const midnight = Date.UTC(2026, 10, 23, 0, 19);

  for (const minutes of [-9 * 60, 1, 59, 11 * 60]) assert.match(clock(midnight - minutes * MINUTE, "UTC", midnight), /^[0-9]{2}:[0-9]{2}$/);
  for (const minutes of [-33 * 60, 12 * 60, 24 * 60]) assert.match(clock(midnight - minutes * MINUTE, "UTC", midnight), /Nov/);
  assert.equal(clock(midnight + 20 * 60 * MINUTE, "UTC", midnight), "20:19");
});

test("a text takes its values, and nothing for what is not given", () => {
  assert.equal(fill("{n} of {of}", { n: 0, of: 3 }), "0 of 3");
  assert.equal(fill("Taken by {by}", { by: null }), "Taken by");
  assert.equal(fill("{missing} calls", {}), "calls");
  assert.equal(fill("Hello {name}", { name: "{n}" }), "Hello {n}");
  assert.equal(fill("{n} and {n}, {not a hole}", { n: 1 }), "1 and 1, {not a hole}");
});

test("a long name keeps the first name and an initial", () => {
  assert.deepEqual(["Ana Almeida", "Ana Li", "Cher", "José María Núñez"].map(shortName), ["Ana A.", "Ana Li", "Cher", "José N."]);
});

test("a day is told from the calendar of the company's zone", () => {
  const texts = { today_at: "Today {time}", yesterday_at: "Yesterday {time}" };
  const at = (text) => Date.parse(text);
  const now = at("2026-11-19T00:30+01:00"); // still the 18th in London

  const inZone = (zone) => dayClock(at("2026-11-18T23:50+01:00"), zone, now, texts);
  assert.deepEqual([inZone("Europe/Berlin"), inZone("Europe/London")], ["Yesterday 23:50", "Today 22:50"]);
});

test("a zone that the browser does not know goes by an older name, or by the browser's own zone", (context) => {
  const { DateTimeFormat } = Intl;
  class OlderFormat extends DateTimeFormat {
    constructor(locale, options) {
      if (["Europe/Kyiv", "Mars/Base"].includes(options.timeZone)) throw new RangeError("Invalid time zone specified");
      super(locale, options);
    }
  }
  context.mock.method(Intl, "DateTimeFormat", OlderFormat);
  const noon = Date.UTC(2026, 10, 23, 12);

  assert.equal(clock(noon, "Europe/Kyiv"), "14:00");
  assert.equal(clock(noon, "Mars/Base"), new DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(noon));
});

test("only moments are put into a sentence of the server", () => {
  const text = withTimes(`at {${Date.parse("2026-11-19T16:12+01:00")}}, {n}`, "Europe/Berlin");

  assert.equal(text, "at 16:12, {n}");
});

test("unknown events say why", () => {
  const page = {
    now: 0,
    zone: "UTC",
    texts: { events_starting: "Starting", no_data_yet: "No data yet", no_data_since: "No data since {time}" },
  };

  assert.equal(noteOf({ state: "starting", since: null }, page), "Starting");
  assert.equal(noteOf({ since: null }, page), "No data yet");
  assert.match(noteOf({ state: "down", since: 60_000 }, page), /^No data since 00:01$/);
});
