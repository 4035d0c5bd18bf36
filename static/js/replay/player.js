// Play and pause, at one of the speeds.

import { part, setData, setText } from "../lib/dom.js";

const TICK_MS = 100;

export class Player {
  /**
   * @param {HTMLElement} panel
   * @param {{play: string, pause: string}} texts
   * @param {(ms: number) => boolean} onPlayed hears how much of the day has gone by; answers whether the replay goes on
   */
  constructor(panel, texts, onPlayed) {
    this.button = /** @type {HTMLElement} */ (panel.querySelector("#play"));
    this.texts = texts;
    this.onPlayed = onPlayed;
    this.speed = 1;
    this.timer = 0;
    this.last = 0;
    /** @type {() => void} */
    this.onPause = () => {};
    this.button.addEventListener("click", () => (this.isPlaying ? this.pause() : this.play()));
    part(panel, "replay-speeds").addEventListener("change", (event) => {
      this.speed = Number(/** @type {HTMLInputElement} */ (event.target).value);
    });
    this.show();
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  play() {
    if (this.isPlaying) return;
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.show();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.show();
    this.onPause();
  }

  /* What could not be shown yet has not been played: the time until it is there does not count. */
  tick() {
    const now = performance.now();
    const gone = Math.min(now - this.last, 10 * TICK_MS);
    this.last = now;
    if (!this.onPlayed(gone * this.speed)) this.pause();
  }

  show() {
    setData(this.button, "playing", this.isPlaying);
    setText(/** @type {Element} */ (this.button.lastElementChild), this.isPlaying ? this.texts.pause : this.texts.play);
  }
}
