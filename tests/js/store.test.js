// The store of the feeds: what frames make of it, and when frames are missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../static/js/live/store.js";

function storeWith(snapshot) {
  const store = new Store();
  store.apply({ feed: "queues", id: "1-0", snapshot });
  return store;
}

test("a snapshot replaces what was known", () => {
  const store = storeWith({ "queue:1": { waiting: 1 }, "queue:2": { waiting: 2 } });

  assert.equal(store.apply({ feed: "queues", id: "9-0", snapshot: { "queue:1": { waiting: 4 } } }), null);
  assert.deepEqual([...store.docs("queues")], [["queue:1", { waiting: 4 }]]);
});

test("a change that follows on is applied and told by its keys", () => {
  const store = storeWith({ "queue:1": { waiting: 1 }, "queue:2": { waiting: 2 } });

  const keys = store.apply({ feed: "queues", id: "2-0", prev: "1-0", set: { "queue:1": { waiting: 5 } }, del: ["queue:2"] });

  assert.deepEqual(keys, ["queue:1", "queue:2"]);
  assert.deepEqual([...store.docs("queues")], [["queue:1", { waiting: 5 }]]);
  assert.deepEqual(store.positions(), [["queues", "2-0"]]);
});

test("a change after a gap is refused and changes nothing", () => {
  const store = storeWith({ "queue:1": { waiting: 1 } });

  const keys = store.apply({ feed: "queues", id: "4-0", prev: "3-0", set: { "queue:1": { waiting: 5 } }, del: [] });

  assert.equal(keys, undefined);
  assert.deepEqual([...store.docs("queues")], [["queue:1", { waiting: 1 }]]);
  assert.deepEqual(store.positions(), [["queues", "1-0"]]);
});

test("a change of a feed without a snapshot is refused", () => {
  assert.equal(new Store().apply({ feed: "queues", id: "2-0", prev: "1-0", set: {}, del: [] }), undefined);
});

test("a feed that is forgotten is unknown and asked for whole", () => {
  const store = storeWith({ "queue:1": { waiting: 1 } });

  store.forget("queues");

  assert.equal(store.isKnown("queues"), false);
  assert.equal(store.docs("queues").size, 0);
  assert.deepEqual(store.positions(), []);
});
