// A sheet that may be long: how many rows of how many beside the link that asked for it. Without this script, or opened in
// another tab, the link gives the file itself.
import { LOCALE } from "../lib/format.js";
import { counted } from "../lib/plurals.js";
import { readSheet } from "../lib/told-sheet.js";

const SHOWN_AFTER = 700; // ms; what is sooner there needs no bar
const SPOKEN_EVERY = 10_000; // ms, to those who only hear the page
const KEPT = 60_000; // ms; then the browser has written the file
const TYPE = "application/x-sheet-progress";

const shown = (n) => n.toLocaleString(LOCALE);

/** One sheet on its way: what is shown of it, and the way to stop it. */
class Making {
  constructor(link) {
    const box = link.parentElement.nextElementSibling;
    this.link = link;
    this.texts = JSON.parse(box.dataset.texts);
    this.bar = box.querySelector(".sheet-bar");
    this.line = box.querySelector(".sheet-line");
    this.panel = box.querySelector(".sheet-shown");
    this.status = box.querySelector(".sheet-end");
    this.ending = new AbortController();
    this.done = null;
    this.spokenAt = performance.now();
    this.stop = box.querySelector(".sheet-stop");
  }

  async run() {
    this.stop.onclick = () => this.ending.abort();
    this.status.textContent = "";
    this.bar.setAttribute("aria-label", this.texts.bar);
    this.tell({ rows: 0, of: null });
    const waiting = setTimeout(() => this.show(), SHOWN_AFTER);
    try {
      await this.take();
    } catch {
      this.end(this.ending.signal.aborted ? this.texts.stopped : this.texts.broken);
    } finally {
      clearTimeout(waiting);
      this.hide();
    }
  }

  async take() {
    const answer = await fetch(this.link.href + "&told=1", { redirect: "manual", signal: this.ending.signal });
    if (answer.headers.get("Content-Type") !== TYPE) {
      // A refusal, or somewhere else to go: the browser shows it as it would have.
      location.assign(this.link.href);
      return;
    }
    const sheet = await readSheet(answer.body.getReader(), (told) => this.tell(told));
    save(sheet);
    this.end(counted(this.texts.saved, sheet.rows, { name: sheet.name, n: shown(sheet.rows) }));
  }

  /** @param {import("../lib/told-sheet.js").Told} told */
  tell({ rows, of }) {
    const isPacking = of !== null && of !== undefined && rows >= of;
    if (of && !isPacking) {
      this.bar.max = of;
      this.bar.value = rows;
    } else this.bar.removeAttribute("value");
    this.line.textContent = this.textOf(rows, of, isPacking);
    if (this.panel.hidden || performance.now() - this.spokenAt < SPOKEN_EVERY) return;
    this.spokenAt = performance.now();
    this.status.textContent = this.line.textContent;
  }

  textOf(rows, of, isPacking) {
    if (isPacking) return this.texts.packing;
    return of ? counted(this.texts.rows, of, { done: shown(rows), n: shown(of) }) : this.texts.looking;
  }

  show() {
    this.panel.hidden = false;
    this.status.classList.add("only-heard"); // the line says it to those who see
    this.status.textContent = this.line.textContent;
    addEventListener("beforeunload", warn);
  }

  hide() {
    // A button that goes must not take the keyboard's place with it.
    if (this.panel.contains(document.activeElement)) this.link.focus();
    this.panel.hidden = true;
    removeEventListener("beforeunload", warn);
  }

  end(text) {
    this.status.classList.remove("only-heard");
    this.status.textContent = text;
  }
}

/** Leaving the page would stop the making. */
function warn(event) {
  event.preventDefault();
}

function save({ blob, name }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/** By the box of the links: one sheet of it at a time. */
const underWay = new Map();

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest("a[data-sheet]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const box = link.parentElement;
  const before = underWay.get(box);
  if (before?.link === link) return; // a second click on what is being made
  before?.ending.abort();
  const making = new Making(link);
  underWay.set(box, making);
  making.done = start(making, before?.done, box);
});

/** Begin once the one before has gone, unless another one was asked for meanwhile. */
async function start(making, before, box) {
  await before;
  if (underWay.get(box) === making) await making.run();
  if (underWay.get(box) === making) underWay.delete(box);
}
