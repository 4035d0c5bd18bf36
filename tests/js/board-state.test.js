// The queues of a board in the company's order, whatever came, went or was moved since the order was last found.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readState } from "../../static/js/views/board-state.js";

const SETTINGS = { feeds: { board: "board:1", calls: "wall" }, board: { version: 1 } };
const queues = new Map();

function page() {
  queues.clear();
  queues.set("poll", { read_at: 1, interval_seconds: 5 });
  for (const number of ["501", "502", "503"]) place(number, Number(number) - 501);
  const store = { docs: (feed) => (feed === "queues" ? queues : new Map()) };
  const status = { isSilent: false, doubted: [], open: true, silentSince: 0 };
  return () => readState({ store, status }, SETTINGS, { queues: null }, { now: 2 }).queues.map((queue) => queue.number);
}

function place(number, order) {
  queues.set(`queue:${number}`, { waiting: 0 });
  queues.set(`about:${number}`, { number, name: number, order });
}

test("a queue that is moved stands in its new place", () => {
  const numbers = page();
  assert.deepEqual(numbers(), ["501", "502", "503"]);

  place("501", 9);

  assert.deepEqual(numbers(), ["502", "503", "501"]);
});

test("a queue that comes while something else goes stands there", () => {
  const numbers = page();
  queues.set("mute:501", { until: 9 }).set("mute:502", { until: 9 });
  numbers();

  queues.delete("mute:501");
  queues.delete("mute:502");
  place("504", 0.5);

  assert.deepEqual(numbers(), ["501", "504", "502", "503"]);
});

test("a queue whose figures alone are left has no card", () => {
  const numbers = page();
  numbers();

  queues.delete("about:502");

  assert.deepEqual(numbers(), ["501", "503"]);
});
