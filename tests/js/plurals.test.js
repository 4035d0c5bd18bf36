// Texts that count, in the forms that accounts/languages/plurals.py sends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "../../static/js/lib/plurals.js";

test("a number takes the form of its language", () => {
  const english = { one: "{n} card", other: "{n} cards" };
  const arabic = { zero: "none", one: "one", two: "two", few: "few {n}", many: "many {n}", other: "{n}" };
  const written = (/** @type {Record<string, string>} */ forms, /** @type {string} */ language) =>
    [0, 1, 2, 3, 11, 100].map((n) => counted(forms, n, {}, language));

  assert.deepEqual(written(english, "en"), ["0 cards", "1 card", "2 cards", "3 cards", "11 cards", "100 cards"]);
  assert.deepEqual(written(english, "fr"), ["0 card", "1 card", "2 cards", "3 cards", "11 cards", "100 cards"]);
  assert.deepEqual(written(arabic, "ar"), ["none", "one", "two", "few 3", "many 11", "100"]);
});

test("a form that a language has and a text lacks is the general one, and other values are filled in", () => {
  assert.equal(counted({ other: "{n} of {of}" }, 1, { of: 3 }, "en"), "1 of 3");
});
