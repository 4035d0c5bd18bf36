// The dock of the desk: which call stands large, and what becomes of claims, late answers and ended calls.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Dock } from "../../static/js/desk/dock.js";

const MINUTE = 60_000;
let now;
let isBusy;
let answers;
let put;
let dock;

const call = (name, leg, more = {}) => ({ call: name, leg, state: "ringing", since: now, outcome: "", by: "", ...more });
const cardOf = (leg, more = {}) => ({ card: { leg, state: "ringing", since: now, ...more } });
const settled = () => new Promise((resolve) => setImmediate(resolve));
const namesOf = (entries) => entries.map((entry) => entry.call);

async function ring(name, leg, more = {}) {
  answers.set(leg, cardOf(leg, more));
  dock.hear(call(name, leg, more));
  await settled();
}

beforeEach(() => {
  now = 1_800_000_000_000;
  isBusy = false;
  answers = new Map();
  put = [];
  const ask = async (leg) => answers.get(leg) ?? null;
  dock = new Dock({ ask, put: (calls) => put.push(...calls), changed: () => {}, isBusy: () => isBusy, now: () => now });
});

test("a call that rings is asked for and stands large", async () => {
  await ring("a", 1);

  assert.equal(dock.chosen, "a");
  assert.deepEqual(namesOf(dock.ringing()), ["a"]);
});

test("a call of somebody else is forgotten", async () => {
  dock.hear(call("a", 1)); // the server answers: not this person's
  await settled();

  assert.equal(dock.get("a"), undefined);
  assert.equal(dock.chosen, null);
});

test("a call that another page shows is no claim of ours", async () => {
  answers.set(1, { elsewhere: true });
  dock.hear(call("a", 1));
  await settled();

  assert.deepEqual([namesOf(dock.here()), namesOf(dock.elsewhere())], [[], ["a"]]);
});

test("what comes late does not move a call back", async () => {
  await ring("a", 1);
  dock.hear(call("a", 1, { state: "talking" }));
  dock.hear(call("a", 1, { state: "ringing" }));

  assert.equal(dock.get("a").state, "talking");
});

test("a second call does not push the first one away while somebody talks or types", async () => {
  await ring("a", 1);
  dock.hear(call("a", 1, { state: "talking" }));
  await ring("b", 2);
  assert.equal(dock.chosen, "a");

  isBusy = true;
  dock.hear(call("a", 1, { state: "ended", outcome: "answered" }));
  assert.equal(dock.chosen, "a");
});

test("a new call takes the place of one that ended", async () => {
  await ring("a", 1);
  dock.hear(call("a", 1, { state: "ended", outcome: "answered" }));
  await ring("b", 2);

  assert.equal(dock.chosen, "b");
});

test("a snapshot without a call ends it", async () => {
  await ring("a", 1);

  dock.hearAll([]);

  assert.equal(dock.get("a").state, "ended");
});

test("closing gives the claim back and shows the next call", async () => {
  await ring("a", 1);
  await ring("b", 2);

  dock.close(["a", "nobody's"]);

  assert.deepEqual(put, ["a"]);
  assert.equal(dock.chosen, "b");
});

test("missed calls stay until somebody puts them away, answered ones go by themselves", async () => {
  await ring("missed", 1);
  dock.hear(call("missed", 1, { state: "ended", outcome: "missed" }));
  await ring("taken", 2);
  dock.hear(call("taken", 2, { state: "ended", outcome: "taken", by: "Ana" }));

  now += MINUTE;
  dock.tidy(() => false);

  assert.deepEqual(namesOf(dock.here()), ["missed"]);
  assert.deepEqual(namesOf(dock.missed()), ["missed"]);
});

test("a card in use is not put away", async () => {
  await ring("taken", 1);
  dock.hear(call("taken", 1, { state: "ended", outcome: "taken" }));

  now += MINUTE;
  dock.tidy(() => true);

  assert.deepEqual(namesOf(dock.here()), ["taken"]);
});

test("while the server does not answer, the call is known to ring", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const silent = new Dock({
    ask: () => Promise.reject(new Error("no connection")),
    put: () => {},
    changed: () => {},
    isBusy: () => false,
    now: () => now,
  });
  silent.hear(call("a", 1));
  await settled();

  assert.deepEqual(namesOf(silent.unanswered()), ["a"]);
  silent.hear(call("a", 1, { state: "ended", outcome: "missed" }));
  assert.deepEqual(silent.unanswered(), []);
});

test("a call that was put away and rings again is asked for until there is an answer", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  await ring("a", 1);
  dock.hear(call("a", 1, { state: "ended", outcome: "missed" }));
  dock.close(["a"]);

  answers.set(2, Promise.reject(new Error("no connection")));
  dock.hear(call("a", 2));
  await settled();
  assert.deepEqual(namesOf(dock.unanswered()), ["a"]);

  answers.set(2, cardOf(2));
  mock.timers.tick(2_000);
  await settled();
  assert.deepEqual(namesOf(dock.ringing()), ["a"]);
});

test("of a person's two devices the one that is answered counts", async () => {
  await ring("a", 1);
  await ring("a", 2);

  dock.hear(call("a", 1, { state: "talking" }));
  dock.hear(call("a", 2, { state: "ended", outcome: "answered" }));
  await settled();
  assert.deepEqual([dock.get("a").leg, dock.get("a").state, dock.missed().length], [1, "talking", 0]);

  dock.hear(call("a", 1, { state: "ended", outcome: "answered" }));
  assert.deepEqual([dock.get("a").leg, dock.get("a").state, dock.get("a").outcome], [1, "ended", "answered"]);

  await ring("a", 3); // passed on, and back again
  dock.hear(call("a", 3, { state: "ended", outcome: "missed" }));
  assert.deepEqual([dock.get("a").leg, dock.missed().length], [3, 1]);
});

test("a device that gives up does not silence the other", async () => {
  await ring("a", 1);
  await ring("a", 2);

  dock.hear(call("a", 2, { state: "ended", outcome: "missed" }));
  await settled();

  assert.deepEqual([dock.get("a").leg, namesOf(dock.ringing())], [1, ["a"]]);
});

test("a call that the person made goes on by the leg that the day lists it by", async () => {
  const made = (leg, more = {}) => call("a", leg, { is_outgoing: true, ...more });
  answers.set(1, cardOf(1));
  dock.follow([made(1)]);
  await settled();

  answers.set(2, cardOf(2, { state: "talking" })); // another device of whom they called, or a voicemail
  dock.follow([made(2, { state: "talking" })]);
  await settled();
  dock.follow([made(2, { state: "ended", outcome: "reached" })]);

  assert.deepEqual([dock.get("a").leg, dock.get("a").state], [2, "ended"]);
});

test("an older leg does not take the place of the one that was asked for", async () => {
  answers.set(3, cardOf(3, { state: "ended" }));
  await dock.take(call("a", 3, { state: "ended", outcome: "missed" }));

  dock.hear(call("a", 2, { state: "ended", outcome: "missed" }));
  await settled();

  assert.equal(dock.get("a").leg, 3);
});

test("what a machine or a colleague took over rings no more", async () => {
  await ring("a", 1);
  await ring("b", 2);

  dock.hearGone([1]);

  assert.deepEqual([dock.get("a").state, namesOf(dock.ringing())], ["ended", ["b"]]);
});

test("what nobody heard of for long rings no more, and its card stays", async () => {
  await ring("a", 1);

  dock.hear(call("a", 1, { as_of: now - 4 * MINUTE }));
  assert.deepEqual([namesOf(dock.ringing()), namesOf(dock.here())], [[], ["a"]]);

  dock.hear(call("a", 1, { as_of: null }));
  assert.deepEqual(namesOf(dock.ringing()), ["a"]);
});

test("the other device rings on where a machine took one", async () => {
  await ring("a", 1);
  await ring("a", 2);

  dock.hearGone([2]);
  await settled();

  assert.deepEqual([dock.get("a").leg, namesOf(dock.ringing())], [1, ["a"]]);
});
