/* The sound of an alert: two short notes, made here; browsers play nothing until somebody has touched the page. */

const REPEAT_MS = 15000;
const NOTES = { late: [880, 660], watch: [587] }; // Hz
const NOTE_SECONDS = 0.22;
const LOUDNESS = 0.4;

export class Sound {
  /* onChange hears when `state` may have changed. It is off until `want(true)`. */
  constructor(onChange) {
    this.onChange = onChange;
    this.context = null;
    this.rungAt = 0;
    this.heard = new Set();
    this.isWanted = false;
    const wake = () => this.resume();
    for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, wake);
  }

  /* "off", "on", "blocked" (wanted, but the browser lets nothing out yet) or "absent" (it cannot make sounds). */
  get state() {
    if (!window.AudioContext) return "absent";
    if (!this.isWanted) return "off";
    return this.context && this.context.state === "running" ? "on" : "blocked";
  }

  want(isWanted) {
    this.isWanted = isWanted;
    if (isWanted && !this.context && this.state !== "absent") {
      this.context = new AudioContext();
      this.context.onstatechange = () => this.onChange();
    }
    if (!isWanted && this.context) {
      this.context.close();
      this.context = null;
    }
    this.resume();
    this.onChange();
  }

  resume() {
    if (!this.isWanted || !this.context || this.context.state === "running") return Promise.resolve();
    return this.context.resume().catch(() => {});
  }

  /* Called once a second with those that nobody has acknowledged: sounds for each new one at once, then again and again. */
  update(list) {
    const isNew = list.some((each) => !this.heard.has(each.id));
    this.heard = new Set(list.map((each) => each.id));
    if (!list.length || (!isNew && Date.now() - this.rungAt < REPEAT_MS)) return;
    this.rungAt = Date.now();
    this.play(list.some((each) => each.level === "late") ? "late" : "watch");
  }

  play(level) {
    if (this.state !== "on") return;
    document.dispatchEvent(new CustomEvent("sounded", { detail: level }));
    NOTES[level].forEach((hertz, index) =>
      sound(this.context, "triangle", hertz, this.context.currentTime + 0.05 + index * NOTE_SECONDS, NOTE_SECONDS, LOUDNESS),
    );
  }
}

/* One note without a click at either end: seconds from `at`, by the context's clock. */
export function sound(context, type, hertz, at, seconds, most) {
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.frequency.value = hertz;
  tone.type = type;
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(most, at + 0.02);
  loudness.gain.linearRampToValueAtTime(0, at + seconds);
  tone.connect(loudness);
  loudness.connect(context.destination);
  tone.start(at);
  tone.stop(at + seconds);
}
