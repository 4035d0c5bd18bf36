// The arithmetic of a replayed day, and the documents of a moment of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ReplaySource } from "../../static/js/replay/source.js";
import { Stills } from "../../static/js/replay/stills.js";
import { missing, Stretches } from "../../static/js/replay/stretches.js";
import { dayOf, gapAt, hours, isAtEnd, momentAt, nextMark, shareOf, stepOf, within, written } from "../../static/js/replay/timeline.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const BEGIN = Date.UTC(2026, 10, 21, 23); // midnight in Berlin
const DAY = { begin: BEGIN, end: BEGIN + 24 * HOUR };
const TOLD = {
  day: "2026-11-22",
  begins: BEGIN,
  ends: DAY.end,
  now: DAY.end + HOUR,
  first: BEGIN + 10 * HOUR,
  last: BEGIN + 12 * HOUR - SECOND,
};
const MARKS = { late: [[BEGIN + 11 * HOUR, BEGIN + 11 * HOUR + MINUTE]], nobody: [], alerts: [] };
const GAPS = [
  [BEGIN, BEGIN + 10 * HOUR],
  [BEGIN + 12 * HOUR, DAY.end],
];

test("a place on the timeline and its moment belong together, at whole seconds within the day", () => {
  assert.equal(momentAt(DAY, 0), BEGIN);
  assert.equal(momentAt(DAY, 1), DAY.end - SECOND);
  assert.equal(momentAt(DAY, 0.5), BEGIN + 12 * HOUR);
  assert.equal(momentAt(DAY, -3), BEGIN);
  assert.equal(within(DAY, BEGIN + 1999), BEGIN + SECOND);
  assert.equal(shareOf(DAY, BEGIN + 6 * HOUR), 0.25);
  assert.ok(isAtEnd(DAY, DAY.end - SECOND) && !isAtEnd(DAY, DAY.end - 2 * SECOND));
});

test("keys step by seconds and minutes, with Shift ten times as far, and from right to left mirrored", () => {
  const keys = ["ArrowRight", "ArrowLeft", "ArrowUp", "PageUp", "PageDown", "Home", "End", "Tab"];

  assert.deepEqual(
    keys.map((key) => stepOf(key, false, false)),
    [SECOND, -SECOND, SECOND, MINUTE, -MINUTE, -Infinity, Infinity, 0],
  );
  assert.equal(stepOf("PageDown", true, false), -10 * MINUTE);
  assert.equal(stepOf("ArrowRight", true, true), -10 * SECOND);
  assert.equal(within(DAY, BEGIN + stepOf("End", false, false)), DAY.end - SECOND);
  assert.equal(within(DAY, BEGIN + stepOf("Home", false, false)), BEGIN);
});

test("jumps lead to the next alert and back, never to the one that the replay stands on", () => {
  const marks = [{ at: BEGIN + HOUR + 300 }, { at: BEGIN + 2 * HOUR }];

  assert.equal(nextMark(marks, BEGIN, 1), marks[0]);
  assert.equal(nextMark(marks, BEGIN + HOUR, 1), marks[1]);
  assert.equal(nextMark(marks, BEGIN + 2 * HOUR, 1), undefined);
  assert.equal(nextMark(marks, BEGIN + 2 * HOUR, -1), marks[0]);
  assert.equal(nextMark(marks, BEGIN + HOUR, -1), undefined);
});

test("the timeline has the hours that were recorded, and that of the moment somebody asks for", () => {
  const day = dayOf({ ...TOLD, gaps: GAPS, marks: MARKS }, BEGIN + 11 * HOUR);

  assert.deepEqual([day.begin, day.end], [BEGIN + 10 * HOUR, BEGIN + 12 * HOUR]);
  assert.deepEqual([day.gaps, day.late], [[], [{ begin: BEGIN + 11 * HOUR, end: BEGIN + 11 * HOUR + MINUTE }]]);
  const wide = dayOf({ ...TOLD, gaps: GAPS, marks: MARKS }, BEGIN + 2 * HOUR + MINUTE);
  assert.deepEqual([wide.begin, gapAt(wide.gaps, BEGIN + 2 * HOUR)?.end], [BEGIN + 2 * HOUR, BEGIN + 10 * HOUR]);
  assert.equal(gapAt(wide.gaps, BEGIN + 10 * HOUR), undefined);
});

test("today ends with what is recorded by now, and a day without a recording is one gap", () => {
  const today = dayOf({ ...TOLD, now: TOLD.last + 20 * SECOND, gaps: [], marks: MARKS }, BEGIN + 11 * HOUR);
  assert.equal(today.end, TOLD.last + SECOND);

  const none = dayOf({ ...TOLD, first: null, last: null, gaps: [[BEGIN, DAY.end]], marks: { ...MARKS, late: [] } }, BEGIN + HOUR);
  assert.deepEqual([none.begin, none.end, gapAt(none.gaps, BEGIN + HOUR)?.end], [BEGIN, DAY.end, DAY.end]);
});

test("the address has the moment by the board's clock, and of an hour that comes twice which one", () => {
  assert.equal(written(Date.UTC(2026, 10, 22, 9, 40), "Europe/Berlin"), "2026-11-22T10:40:00");
  assert.equal(written(Date.UTC(2026, 9, 25, 0, 30), "Europe/Berlin"), "2026-10-25T02:30:00");
  assert.equal(written(Date.UTC(2026, 9, 25, 1, 30), "Europe/Berlin"), "2026-10-25T02:30:00+01:00");
});

test("full hours stand below the timeline, as many as there is room for, also where zones lie half hours apart", () => {
  const hourOf = (ms) => new Date(ms + 5.5 * HOUR).getUTCHours();
  const found = hours({ begin: BEGIN, end: BEGIN + 6 * HOUR }, 6, hourOf);

  assert.deepEqual(found.map(hourOf), [5, 6, 7, 8, 9, 10]);
  assert.deepEqual(hours({ begin: BEGIN, end: BEGIN + 6 * HOUR }, 3, hourOf).map(hourOf), [6, 8, 10]);
  assert.equal(hours({ begin: BEGIN, end: BEGIN + HOUR }, 4, hourOf).length, 4); // of an hour its quarters
});

test("of a stretch is asked for what is missing, on from where the last answer ended", () => {
  const slot = { from: 0, until: 600 };

  assert.deepEqual(missing([], slot), slot);
  assert.deepEqual(missing([{ from: 0, until: 200 }], slot), { from: 200, until: 600 });
  const whole = [
    { from: 200, until: 600 },
    { from: 0, until: 200 },
  ];
  assert.equal(missing(whole, slot), null);
  assert.deepEqual(missing([{ from: 200, until: 300 }], slot), { from: 0, until: 200 }); // up to what is there
});

/* The server's part: answers are held until the test gives them. */
function server() {
  const asked = [];
  globalThis.fetch = (address) =>
    new Promise((done) => {
      const query = new URLSearchParams(address.split("?")[1]);
      const [from, until] = ["from", "until"].map((name) => Number(query.get(name)));
      const at = Number(query.get("at"));
      const body = { from: at || from, until: until || at + SECOND, feeds: { queues: { "queue:1": {} } }, changes: [] };
      const give = () => done(new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } }));
      asked.push({ at, from, until, give });
    });
  return asked;
}

const settled = () => new Promise((done) => setTimeout(done, 5));

test("while somebody drags, two moments are asked for at a time, and then the one that is wanted by then", async () => {
  const asked = server();
  const told = [];
  const stills = new Stills("/", (still) => told.push(still.from));
  for (const at of [1000, 2000, 3000, 4000]) stills.want(at);
  assert.deepEqual(
    asked.map((each) => each.at),
    [1000, 2000],
  );

  asked[1].give();
  await settled();
  assert.deepEqual([asked[2].at, told], [4000, [2000]]);
  asked[0].give(); // too late: a later one is on the board
  asked[2].give();
  await settled();
  assert.deepEqual([told, asked.length], [[2000, 4000], 3]);
  assert.equal(stills.want(1000)?.from, 1000);
});

test("stretches are fetched where the replay rests, from its minute on, and not where it passes", async () => {
  const asked = server();
  const stretches = new Stretches("/", { begin: 0, end: HOUR, gaps: [] }, () => {});
  stretches.want(25 * MINUTE);
  stretches.want(41 * MINUTE + 30 * SECOND);
  assert.equal(asked.length, 0);

  await new Promise((done) => setTimeout(done, 300));
  assert.deepEqual([asked.length, asked[0].from, asked[0].until], [1, 41 * MINUTE, 44 * MINUTE]);
  asked[0].give();
  await settled();
  assert.equal(stretches.want(42 * MINUTE)?.from, 41 * MINUTE);
  stretches.close();
});

test("the documents are those of the moment, forward and back, and a feed that was not known is doubted", () => {
  const source = new ReplaySource();
  const changes = [
    { at: 2000, feed: "queues", set: { "queue:1": { waiting: 2 } }, del: ["queue:2"] },
    { at: 3000, feed: "people", unknown: true },
    { at: 4000, feed: "people", snapshot: { 102: { name: "B" } } },
  ];
  const chunk = { from: 1000, until: 6000, feeds: { queues: { "queue:1": { waiting: 1 }, "queue:2": {} }, people: { 101: {} } }, changes };
  const at = (ms) => {
    source.moveTo(chunk, ms);
    return [source.serverNow(), source.store.docs("queues").get("queue:1").waiting, ...source.store.docs("people").keys()];
  };

  assert.deepEqual(at(1000), [1000, 1, "101"]);
  assert.deepEqual(at(3000), [3000, 2]);
  assert.deepEqual([source.status.doubted, source.status.silentSince, source.store.isKnown("people")], [["people"], 3000, false]);
  assert.deepEqual(at(5000), [5000, 2, "102"]);
  assert.deepEqual([...source.store.docs("queues").keys()], ["queue:1"]);
  assert.deepEqual(at(1500), [1500, 1, "101"]);
  assert.deepEqual(source.status.doubted, []);
});
