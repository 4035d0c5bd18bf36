// A board drawn small: where its cards and queues stand, and how.

import assert from "node:assert/strict";
import { test } from "node:test";
import { divided, drawing, HEIGHT, marksOf, placed, WIDTH, worstLevel } from "../../static/js/views/thumbnail.js";

const PAGE = { now: 1_000_000, texts: {} };
const LEVELS = { 1: "late", 2: "watch", 3: "normal", 4: "closed", 5: "unknown" };
const GRID = { rows: 12, cards: [] };

function queue(number) {
  const level = LEVELS[number];
  const figures = {
    waiting: Number(number),
    longest_wait: 1,
    level: level === "late" || level === "watch" ? level : "normal",
    reason: level === "closed" ? "closed" : "",
  };
  return {
    number,
    figures,
    about: { number, name: "Queue " + number },
    readAt: PAGE.now,
    fresh: { isKnown: level !== "unknown", since: 5 },
  };
}

function state(...numbers) {
  const queues = numbers.map(queue);
  return { queues, byNumber: new Map(queues.map((each) => [each.number, each])) };
}

function card(kind, more = {}) {
  return { id: kind, kind, x: 0, y: 0, w: 6, h: 6, queues: null, people: null, levels: null, ...more };
}

const levels = (found) => found.shapes.map((shape) => shape.level);
const figures = (found) => found.shapes.map((shape) => shape.figure);
const isInside = (box) => box.x >= 0 && box.y >= 0 && box.x + box.width <= WIDTH && box.y + box.height <= HEIGHT;

test("cards of a grid stand where they stand on the board", () => {
  const [left, right] = placed({ rows: 12, cards: [card("tiles"), card("people", { x: 6, y: 6 })] });

  assert.ok(isInside(left) && isInside(right));
  assert.ok(left.x + left.width < right.x && left.y + left.height < right.y);
  assert.ok(Math.abs(left.width - right.width) < 0.01);
});

test("a board that arranges itself has its sections and no hole", () => {
  const kinds = (sections) => placed({ sections, queues: null }).map((box) => box.card.kind);

  assert.deepEqual(kinds(["totals", "queues", "people", "calls"]), ["totals", "tiles", "people", "calls"]);
  assert.deepEqual(kinds(["queues"]), ["tiles"]);
  assert.deepEqual(kinds(["people"]), ["people"]);
  for (const sections of [["queues"], ["people"], ["totals", "calls"], ["totals", "queues", "people", "calls"]]) {
    const boxes = placed({ sections, queues: null });
    assert.ok(
      boxes.every((box) => isInside(box) && box.width > 20 && box.height > 10),
      sections.join(),
    );
    assert.ok(Math.max(...boxes.map((box) => box.x + box.width)) > WIDTH - 6);
  }
});

test("tiles share their card, the rows of a table stand one below the other", () => {
  const box = { x: 0, y: 0, width: 120, height: 80 };

  assert.deepEqual(new Set(divided(box, 6, false).map((tile) => tile.x.toFixed(1))).size, 3);
  assert.equal(new Set(divided(box, 6, true).map((tile) => tile.x)).size, 1);
  for (const count of [1, 7, 24, 60])
    assert.ok(divided(box, count, false).every((tile) => isInside(tile) && tile.width > 0 && tile.height > 0));
  assert.deepEqual(divided(box, 0, false), []);
});

test("every queue is drawn as it stands, with how many wait", () => {
  const found = drawing({ sections: ["queues"], queues: null }, state("1", "2", "3", "4", "5"), PAGE);

  assert.deepEqual(levels(found), ["late", "watch", "normal", "closed", "unknown"]);
  assert.deepEqual(figures(found), ["1", "2", "3", "–", "?"]);
  assert.deepEqual(Object.fromEntries(found.levels), LEVELS);
});

test("a card of several queues shows the worst of them, one about people none", () => {
  const cards = [
    card("ribbon"),
    card("figure", { figure: "waiting", window: "now" }),
    card("figure", { figure: "talking", window: "now" }),
    card("people"),
    card("queue", { queues: ["3"] }),
  ];
  const found = drawing({ ...GRID, cards }, state("2", "3"), PAGE);

  assert.deepEqual(levels(found), ["watch", "watch", "", "", "normal"]);
  assert.deepEqual(figures(found), ["", "", "", "", "3"]);
});

test("a card's own levels outrank the targets", () => {
  const strict = card("tiles", { queues: ["3"], levels: { watch: null, late: 1 } });

  assert.deepEqual(levels(drawing({ ...GRID, cards: [strict] }, state("3"), PAGE)), ["late"]);
});

test("queues that are only summed up count for the board", () => {
  const found = drawing({ ...GRID, cards: [card("totals")] }, state("1", "3"), PAGE);

  assert.deepEqual(levels(found), [""]);
  assert.equal(worstLevel(Array.from(found.levels.values())), "late");
  assert.equal(drawing({ ...GRID, cards: [card("clock")] }, state("1"), PAGE).levels.size, 0);
});

test("trouble outranks doubt, and doubt calm", () => {
  assert.equal(worstLevel(["normal", "unknown", "watch"]), "watch");
  assert.equal(worstLevel(["normal", "unknown"]), "unknown");
  assert.equal(worstLevel(["closed", "normal"]), "normal");
  assert.equal(worstLevel(["closed"]), "closed");
});

test("strokes stay on their card", () => {
  const box = { x: 10, y: 10, width: 30, height: 20 };

  for (const kind of ["totals", "people", "calls", "callbacks", "text", "trend"]) assert.match(marksOf({ kind, ...box }), /^M[\d.]/);
  assert.equal(marksOf({ kind: "clock", ...box }), "");
});
