/* One tab of a browser at a time: each that wants to waits for its turn, and leaves it to the next when it closes. */

export class Turn {
  constructor(name, onTurn) {
    this.name = name;
    this.onTurn = onTurn || (() => {});
    this.isHeld = false;
    this.giveUp = null;
  }

  /* Without locks, which browsers have over https only, it is the tab that somebody looks at. */
  get isMine() {
    return navigator.locks ? this.isHeld : document.visibilityState === "visible";
  }

  want(isWanted) {
    if (!navigator.locks || isWanted === Boolean(this.giveUp)) return;
    if (!isWanted) return this.giveUp();
    const abort = new AbortController();
    const held = new Promise((resolve) => {
      this.giveUp = () => {
        this.isHeld = false;
        this.giveUp = null;
        abort.abort();
        resolve(null);
      };
    });
    const options = { signal: abort.signal };
    navigator.locks
      .request(this.name, options, () => {
        this.isHeld = true;
        this.onTurn();
        return held;
      })
      .catch(() => {}); // given up while it waited
  }
}
