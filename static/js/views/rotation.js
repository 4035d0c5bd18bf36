/* Which of its boards a screen shows now: each for its time, and only those with an alert while any has one. */

export class Rotation {
  /* steps: [{board, seconds}] in order. */
  constructor(steps) {
    this.steps = steps;
    this.place = 0;
    this.since = null;
  }

  /* The board of this moment. isKnown(board): it can be drawn; isCalling(board): somebody must come. */
  boardAt(now, isKnown, isCalling) {
    const known = this.steps.filter((step) => isKnown(step.board));
    const called = known.filter((step) => isCalling(step.board));
    const turn = called.length ? called : known;
    if (!turn.length) return this.steps[this.place].board;
    if (this.since === null || now < this.since) this.since = now; // a clock that was set back starts the turn anew
    if (!turn.includes(this.steps[this.place]) || this.isOver(now, turn)) this.next(now, turn);
    return this.steps[this.place].board;
  }

  isOver(now, turn) {
    return turn.length > 1 && now - this.since >= this.steps[this.place].seconds * 1000;
  }

  next(now, turn) {
    this.since = now;
    do {
      this.place = (this.place + 1) % this.steps.length;
    } while (!turn.includes(this.steps[this.place]));
  }
}
