// A note that is written in two places: nothing typed is lost, whichever of them the server hears first.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Drafts } from "../../static/js/desk/drafts.js";
import { NoteKeeper } from "../../static/js/desk/note.js";

const EMPTY = { text: "", stamp: 0, outcome: null, contact: null };
let stored;
let held;

/** The server's rule (desk/notes.py): a higher stamp, over something that the writer knows. */
function take(draft) {
  const isYours = draft.stamp > stored.stamp && draft.known.includes(stored.stamp);
  stored = isYours ? { text: draft.text, stamp: draft.stamp, outcome: draft.outcome, contact: draft.contact } : stored;
  return { ...stored, is_yours: isYours || draft.stamp === stored.stamp };
}

/** A page with the card open, as the server has it by now. */
function page({ server = { post: async (_, draft) => take(draft) }, drafts = new Drafts(7) } = {}) {
  const field = new EventTarget();
  field.value = "";
  const texts = { keeping: "keeping", kept: "kept {time}", waiting_to_keep: "waiting", too_late: "late" };
  const keeper = new NoteKeeper(field, () => {}, { server, drafts, texts, clock: String, now: Date.now });
  keeper.open(1, "call", stored);
  const type = (text) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  };
  return { field, keeper, type };
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

async function saved({ keeper }) {
  keeper.flush();
  await settled();
  keeper.flush(); // what was joined
  await settled();
}

beforeEach(() => {
  stored = EMPTY;
  held = new Map();
  const storage = {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => held.set(key, value),
    removeItem: (key) => held.delete(key),
  };
  // Drafts lists what it holds by the keys of the storage.
  globalThis.localStorage = new Proxy(storage, {
    ownKeys: () => [...held.keys()],
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
  });
});

test("what a program wrote meanwhile stays beside what is typed", async () => {
  const ours = page();
  stored = { ...EMPTY, text: "ordered a drill", stamp: Date.now() - 5_000, outcome: 3 };

  ours.type("wants it on Friday");
  await saved(ours);

  assert.equal(stored.text, "ordered a drill\nwants it on Friday");
  assert.equal(stored.outcome, 3);
  assert.equal(ours.field.value, stored.text);
  assert.equal(held.size, 0);
});

test("of two pages of one person neither replaces the other", async () => {
  const [one, other] = [page({ drafts: new Drafts(1) }), page({ drafts: new Drafts(2) })];

  one.type("from the desk");
  await saved(one);
  other.type("from the laptop");
  other.keeper.choose({ outcome: 5 });
  await saved(other);
  one.type("from the desk, later");
  await saved(one);

  assert.match(stored.text, /from the desk, later/);
  assert.match(stored.text, /from the laptop/);
  assert.equal(stored.outcome, 5);
});

for (const order of ["push", "unshift"]) {
  test(`one's own words on their way are no other's, and the last ones count: ${order}`, async () => {
    const waiting = [];
    const server = { post: (_, draft) => new Promise((resolve) => waiting[order](() => resolve(take(draft)))) };
    const ours = page({ server });
    ours.type("damaged, wa");
    ours.keeper.flush();
    ours.type("wants a refund");
    ours.keeper.flush({ isLeaving: true });

    for (const answer of waiting) {
      answer();
    }
    await settled();

    assert.equal(stored.text, "wants a refund");
    assert.equal(ours.field.value, "wants a refund");
    assert.equal(held.size, 0);
  });
}

test("what a dead connection kept back joins what was written elsewhere since", async () => {
  const offline = { post: () => new Promise(() => {}) };
  const ours = page({ server: offline });
  ours.type("typed in a tunnel");
  ours.keeper.flush();
  await settled();
  stored = { ...EMPTY, text: "written at home", stamp: Date.now() + 60_000 };

  await new Drafts(7).deliver({ post: async (_, draft) => take(draft) });

  assert.equal(stored.text, "written at home\ntyped in a tunnel");
  assert.equal(held.size, 0);
});

test("a card that comes again takes nothing from what is typed", async () => {
  const ours = page();
  ours.type("half a sent");
  stored = { ...EMPTY, text: "by a program", stamp: Date.now() + 60_000 };

  ours.keeper.open(1, "call", stored);
  assert.equal(ours.field.value, "half a sent");
  await saved(ours);

  assert.equal(ours.field.value, "by a program\nhalf a sent");
  assert.equal(stored.text, ours.field.value);
});
