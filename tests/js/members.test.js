// Everybody at the company, found by letters and digits as people type them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../static/js/views/members.js";

const PEOPLE = { 103: "Özkan", 104: "Mona 2", 3104: "Omar" };

function members() {
  const documents = Object.entries(PEOPLE).map(([extension, name]) => [extension, { extension, name, state: "idle" }]);
  const all = new Members([]);
  all.take(new Map(documents));
  return all;
}

function found(letters) {
  return members()
    .found(letters, "all", true, 0)
    .map((member) => member.person.extension);
}

test("letters are found without their marks and in any case", () => {
  assert.deepEqual(found("ozk"), ["103"]);
  assert.deepEqual(found("MONA 104"), ["104"]);
});

test("digits are found in whatever script they are typed", () => {
  for (const typed of ["103", "١٠٣", "۱۰۳", "１０３"]) assert.deepEqual(found(typed), ["103"]);
  assert.deepEqual(found("١٠٤"), ["104", "3104"]);
  assert.deepEqual(found("٢"), ["104"]);
  assert.deepEqual(found("٩"), []);
});
