// How a call is put into words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { timeOf } from "../../static/js/desk/call-texts.js";

const NOW = 1_800_000_000_000;
const HOUR = 3600_000;
const TEXTS = { talked: "talked {length}", rang: "rang {length}", as_of: "as of {time}" };

const told = (entry) => timeOf({ state: "ended", outcome: "", as_of: null, ...entry }, NOW, TEXTS, () => "");

test("a call that is over says how long it was talked or rung", () => {
  assert.equal(told({ outcome: "answered", answered: NOW - HOUR, since: NOW - HOUR + 70_000 }), "talked 1:10");
  assert.equal(told({ outcome: "missed", card: { rang: NOW - HOUR }, since: NOW - HOUR + 20_000 }), "rang 0:20");
});

test("a call whose end was lost has no length", () => {
  assert.equal(told({ outcome: "answered", answered: NOW - 4 * HOUR, since: NOW, as_of: NOW - 4 * HOUR }), "");
  assert.equal(told({ outcome: "missed", card: { rang: NOW - 4 * HOUR }, since: NOW, as_of: NOW - 4 * HOUR }), "");
});
