// Two people changed the same board: what goes together by itself, and what is asked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { merge } from "../../static/js/editor/merge.js";

const LIMITS = { mostRows: 12, leastOf: () => ({ w: 2, h: 1 }) };
const card = (id, x, more = {}) => ({ id, x, y: 0, w: 4, h: 4, title: "", ...more });
const board = (cards, more = {}) => ({ name: "Floor", theme: "dark", notice: "", time_zone: "", layout: { rows: 8, cards }, ...more });

test("settings that only one side changed go together", () => {
  const base = board([]);

  const found = merge(base, { ...base, name: "Sales" }, { ...base, theme: "light" }, LIMITS);

  assert.deepEqual([found.content.name, found.content.theme], ["Sales", "light"]);
  assert.deepEqual(found.changes, [{ what: "settings", field: "name" }]);
  assert.deepEqual(found.conflicts, []);
});

test("a setting that both changed is asked, and mine stands until it is answered", () => {
  const base = board([]);
  const sides = [base, { ...base, name: "Sales" }, { ...base, name: "Support" }];

  const asked = merge(...sides, LIMITS);
  const answered = merge(...sides, { ...LIMITS, choices: { name: "theirs" } });

  assert.deepEqual(asked.conflicts, [{ key: "name", kind: "field", field: "name", theirs: "Sales", mine: "Support" }]);
  assert.equal(asked.content.name, "Support");
  assert.equal(answered.content.name, "Sales");
});

test("different cards that were changed go together", () => {
  const base = board([card("a", 0), card("b", 4)]);
  const theirs = board([card("a", 0, { title: "Theirs" }), card("b", 4)]);
  const mine = board([card("a", 0), card("b", 4, { title: "Mine" })]);

  const { content, changes, conflicts } = merge(base, theirs, mine, LIMITS);

  const titles = Object.fromEntries(content.layout.cards.map(({ id, title }) => [id, title]));
  assert.deepEqual(titles, { a: "Theirs", b: "Mine" });
  assert.deepEqual(
    changes.map(({ what }) => what),
    ["changed"],
  );
  assert.deepEqual(conflicts, []);
});

test("a card that one removed and the other changed is asked", () => {
  const base = board([card("a", 0)]);
  const sides = [base, board([]), board([card("a", 0, { title: "Mine" })])];

  const { conflicts } = merge(...sides, LIMITS);
  const answered = merge(...sides, { ...LIMITS, choices: { "card a": "theirs" } });

  assert.deepEqual(
    conflicts.map(({ key, theirs }) => [key, theirs]),
    [["card a", null]],
  );
  assert.deepEqual(answered.content.layout.cards, []);
});

test("a new card of mine makes room for a new one of theirs", () => {
  const base = board([]);

  const { content, changes } = merge(base, board([card("t", 0)]), board([card("m", 2)]), LIMITS);

  const places = Object.fromEntries(content.layout.cards.map(({ id, x, y }) => [id, [x, y]]));
  assert.deepEqual(places, { t: [0, 0], m: [4, 0] });
  assert.deepEqual(
    changes.map(({ what, card: { id } }) => [what, id]),
    [
      ["added", "t"],
      ["made_room", "m"],
    ],
  );
});

test("another form of layout is asked where both changed it", () => {
  const base = board([card("a", 0)]);
  const automatic = { ...base, layout: { sections: ["queues"], queues: null } };

  const { conflicts } = merge(base, automatic, board([card("a", 4)]), LIMITS);

  assert.deepEqual(
    conflicts.map(({ kind }) => kind),
    ["layout"],
  );
});
