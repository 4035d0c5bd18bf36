/* The number of open alerts that nobody has acknowledged, in the bar of a page and before its title; and their sound, in one tab of the browser. */
import { part, setData, setHidden, setText } from "../lib/dom.js";
import { counted } from "../lib/plurals.js";
import { Turn } from "./turn.js";

export class Badge {
  /* node: of templates/alerts/_badge.html; ownTitle: whether the page itself says alerts in its title. */
  constructor(node, sound, ownTitle) {
    this.node = node;
    this.sound = sound;
    this.texts = JSON.parse(document.getElementById("badge").textContent).texts;
    this.turn = new Turn("wallboard-alert-sound");
    this.ownTitle = ownTitle;
    this.count = 0;
    part(node, "badge-sound").addEventListener("click", () => sound.resume());
  }

  /* list: those that nobody has acknowledged; isKnown: whether that is true now. Called again and again, at least each second. */
  update(list, isKnown) {
    const count = list.length;
    setData(this.node, "state", isKnown ? (count ? "open" : "none") : "unknown");
    setText(part(this.node, "badge-count"), isKnown ? (count ? String(count) : "") : "?");
    setText(part(this.node, "badge-words"), this.words(count, isKnown));
    part(this.node, "badge-link").title = this.words(count, isKnown);
    const button = part(this.node, "badge-sound");
    setHidden(button, this.sound.state !== "blocked" || !count);
    setText(button, this.texts.blocked);
    this.entitle(isKnown ? count : 0);
    // A tab that the browser keeps silent leaves the sound to another.
    this.turn.want(this.sound.state === "on");
    if (this.turn.isMine) this.sound.update(isKnown ? list : []);
  }

  words(count, isKnown) {
    if (!isKnown) return this.texts.unknown;
    return counted(this.texts.open, count);
  }

  entitle(count) {
    if (this.ownTitle || count === this.count) return;
    const mark = (number) => (number ? "(" + number + ") " : "");
    const before = mark(this.count);
    const title = document.title;
    document.title = mark(count) + (before && title.startsWith(before) ? title.slice(before.length) : title);
    this.count = count;
  }
}
