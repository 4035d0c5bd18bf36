// A sheet is saved only as a whole: what breaks off is told, wherever the network cut it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BrokenOff, readSheet } from "../../static/js/lib/told-sheet.js";

const FILE = "extension,name\n101,Ana\n";
const LAST = JSON.stringify({ name: "people.csv", type: "text/csv", rows: 1, bytes: FILE.length });

/** A reader that gives a text in pieces of that size. */
function readerOf(text, size) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return {
    read: async () => {
      at += size;
      return at - size < bytes.length ? { done: false, value: bytes.slice(at - size, at) } : { done: true };
    },
  };
}

for (const size of [1, 7, 10_000])
  test(`lines, then the file, in pieces of ${size}`, async () => {
    const told = [];
    const reader = readerOf(`{"rows":0,"of":null}\n{"rows":1,"of":1}\n${LAST}\n${FILE}`, size);

    const sheet = await readSheet(reader, (each) => told.push(each));

    assert.equal(await sheet.blob.text(), FILE);
    assert.deepEqual([sheet.name, sheet.rows], ["people.csv", 1]);
    assert.deepEqual(told.slice(0, 2), [
      { rows: 0, of: null },
      { rows: 1, of: 1 },
    ]);
  });

for (const [why, text] of [
  ["ends within the lines", '{"rows":0,"of":null}\n{"ro'],
  ["ends within the file", `${LAST}\n${FILE.slice(0, -4)}`],
  ["says that it failed", '{"rows":0,"of":1}\n{"failed":true}\n'],
])
  test(`what ${why} is no sheet`, async () => {
    await assert.rejects(
      readSheet(readerOf(text, 16), () => {}),
      BrokenOff,
    );
  });
