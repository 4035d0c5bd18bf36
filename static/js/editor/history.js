// Undo and redo: whole contents, newest last. Steps that belong together (typing a title) become one.

const MOST = 200;
const TOGETHER_MS = 1500;

export class History {
  constructor() {
    this.past = [];
    this.future = [];
    this.last = { key: "", at: 0 };
  }

  /** Remember what was before a change; `key` names changes that belong together while they follow each other quickly. */
  remember(content, key = "") {
    const now = Date.now();
    const isSameStep = key !== "" && key === this.last.key && now - this.last.at < TOGETHER_MS;
    this.last = { key, at: now };
    this.future = [];
    if (!isSameStep) this.past.push(content);
    if (this.past.length > MOST) this.past.shift();
  }

  /** The content before, or null; `current` can be had again by redo. */
  undo(current) {
    return this.swap(this.past, this.future, current);
  }

  redo(current) {
    return this.swap(this.future, this.past, current);
  }

  swap(from, to, current) {
    if (!from.length) return null;
    this.last = { key: "", at: 0 };
    to.push(current);
    return from.pop();
  }

  /** Others changed the board: bring their change into every remembered content, so that undo does not take it back. */
  rebase(change) {
    this.past = this.past.map(change);
    this.future = this.future.map(change);
  }
}
