// A soft double tone while a call rings in this page. Off until somebody switches it on in this browser.

import { sound } from "../alerts/sound.js";

const KEY = "desk.sound";
const EVERY_MS = 3_000;
const TONES = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.22 },
];
const TONE_SECONDS = 0.18;
const LOUDNESS = 0.25;

export class Ringer {
  #toggle = document.getElementById("sound");
  #try = document.getElementById("sound-try");
  #message = document.getElementById("sound-message");
  #texts;
  #context = null;
  #timer = 0;
  #isRinging = false;

  constructor(texts) {
    this.#texts = texts;
    this.#toggle.hidden = !globalThis.AudioContext;
    this.#toggle.addEventListener("click", () => this.#switch(!this.isOn));
    this.#try.addEventListener("click", () => this.#sound());
    for (const kind of ["pointerdown", "keydown"]) {
      addEventListener(kind, () => this.isOn && this.#ready()); // browsers let nothing sound before somebody did something
    }
    this.#show();
  }

  get isOn() {
    return read() === "on";
  }

  /** Sound as long as something rings. */
  update(isRinging) {
    if (isRinging === this.#isRinging) {
      return;
    }
    this.#isRinging = isRinging;
    clearInterval(this.#timer);
    if (isRinging && this.isOn) {
      this.#sound();
      this.#timer = setInterval(() => this.#sound(), EVERY_MS);
    }
  }

  #switch(isOn) {
    write(isOn ? "on" : "off");
    clearInterval(this.#timer);
    if (isOn) {
      this.#sound();
    }
    this.#show();
  }

  #show() {
    this.#toggle.setAttribute("aria-pressed", String(this.isOn));
    this.#try.hidden = !this.isOn || this.#toggle.hidden;
  }

  async #ready() {
    try {
      this.#context ??= new AudioContext();
      await Promise.race([this.#context.resume(), new Promise((resolve) => setTimeout(resolve, 200))]);
    } catch {
      this.#context = null; // no sound device: the card is there all the same
    }
    const isMute = this.#context?.state !== "running";
    this.#message.textContent = isMute ? this.#texts.sound_waits : "";
    this.#message.hidden = !isMute;
    return !isMute;
  }

  async #sound() {
    if (await this.#ready()) {
      const context = this.#context;
      TONES.forEach(({ hertz, at }) => sound(context, "sine", hertz, context.currentTime + at, TONE_SECONDS, LOUDNESS));
    }
  }
}

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // a forbidden storage: the switch holds no longer than this click
  }
}
