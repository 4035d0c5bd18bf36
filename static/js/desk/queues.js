// The queues in small: how many wait and how long, with their age as soon as it matters.

import { setChildren, setText, setTextOrHide } from "../lib/dom.js";
import { duration, fill } from "../lib/format.js";
import { liveFor } from "../views/freshness.js";
import { templateWithSlots } from "./slots.js";

export class QueuesView {
  #section = document.getElementById("queues");
  #rows = document.getElementById("queue-rows");
  #texts;
  #clock;
  #shown = new Map();
  #poll = null;

  constructor(texts, clock) {
    this.#texts = texts;
    this.#clock = clock;
  }

  /** documents: Map of the feed `queues`. */
  update(documents, now) {
    this.#poll = documents.get("poll") ?? null;
    const queues = [...documents.keys()].filter((key) => key.startsWith("queue:")).map((key) => key.slice(6));
    const known = queues
      .map((number) => ({ number, about: documents.get(`about:${number}`), figures: documents.get(`queue:${number}`) }))
      .filter((queue) => queue.about); // without, it is off every board
    known.sort((a, b) => a.about.order - b.about.order || a.number.localeCompare(b.number));
    const rows = known.map((queue) => this.#row(queue));
    setChildren(
      this.#rows,
      rows.map((row) => row.element),
    );
    setTextOrHide(document.getElementById("queues-none"), rows.length ? "" : this.#texts.no_queues);
    this.tick(now);
  }

  /** Whether the figures are still to be believed, by our own clock even when nothing arrives. */
  tick(now, isConnected = true) {
    const readAt = this.#poll?.read_at ?? null;
    const isOld = !isConnected || readAt === null || now - readAt > liveFor(this.#poll.interval_seconds);
    this.#section.classList.toggle("is-doubtful", isOld);
    setText(document.getElementById("queues-age"), isOld ? this.#noFiguresSince(readAt) : "");
  }

  #noFiguresSince(time) {
    return time === null ? this.#texts.no_figures : fill(this.#texts.no_figures_since, { time: this.#clock(time) });
  }

  #row({ number, about, figures }) {
    const row = this.#shown.get(number) ?? templateWithSlots("queue-row");
    this.#shown.set(number, row);
    setText(row.slot("name"), about.name || number);
    const waits = [fill(this.#texts.waiting, { n: figures.waiting })];
    if (figures.waiting > 0 && figures.longest_wait !== null) {
      waits.push(fill(this.#texts.longest, { length: duration(figures.longest_wait) }));
    }
    setText(row.slot("figures"), figures.missing_since ? this.#noFiguresSince(figures.missing_since) : waits.join(", "));
    const level = figures.missing_since ? "" : figures.level;
    const isRaised = level === "watch" || level === "late";
    setTextOrHide(row.slot("level"), isRaised ? this.#texts[level] : "");
    row.slot("level").className = `state state-${level}`;
    return row;
  }
}
