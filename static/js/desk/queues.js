// The queues in small: how many wait and how long, with their age as soon as it matters.

import { order, part, say, sayOrHide } from "./parts.js";
import { fill, length } from "./times.js";

const GRACE_MS = 5_000;

export class QueuesView {
  #section = document.getElementById("queues");
  #rows = document.getElementById("queue-rows");
  #words;
  #clock;
  #shown = new Map();
  #poll = null;

  constructor(words, clock) {
    this.#words = words;
    this.#clock = clock;
  }

  /** documents: Map of the feed `queues`. */
  update(documents, now) {
    this.#poll = documents.get("poll") ?? null;
    const queues = [...documents.keys()].filter((key) => key.startsWith("queue:")).map((key) => key.slice(6));
    const known = queues.map((number) => ({
      number,
      about: documents.get(`about:${number}`),
      figures: documents.get(`queue:${number}`),
    }));
    known.sort((a, b) => (a.about?.order ?? 0) - (b.about?.order ?? 0) || a.number.localeCompare(b.number));
    const rows = known.map((queue) => this.#row(queue));
    order(this.#rows, rows.map((row) => row.element));
    sayOrHide(document.getElementById("queues-none"), rows.length ? "" : this.#words.no_queues);
    this.tick(now);
  }

  /** Whether the figures are still to be believed, by our own clock even when nothing arrives. */
  tick(now, isConnected = true) {
    const readAt = this.#poll?.read_at ?? null;
    const isOld = !isConnected || readAt === null || now - readAt > 2_000 * this.#poll.interval_seconds + GRACE_MS;
    this.#section.classList.toggle("is-doubtful", isOld);
    const since = readAt === null ? this.#words.no_figures : fill(this.#words.no_figures_since, { time: this.#clock(readAt) });
    say(document.getElementById("queues-age"), isOld ? since : "");
  }

  #row({ number, about, figures }) {
    const row = this.#shown.get(number) ?? part("queue-row");
    this.#shown.set(number, row);
    say(row.slot("name"), about?.name || number);
    const waits = [fill(this.#words.waiting, { n: figures.waiting })];
    if (figures.waiting > 0 && figures.longest_wait !== null) {
      waits.push(fill(this.#words.longest, { length: length(figures.longest_wait * 1000) }));
    }
    say(row.slot("figures"), figures.missing_since ? this.#words.no_figures : waits.join(", "));
    const level = figures.missing_since ? "" : figures.level;
    const isRaised = level === "watch" || level === "late";
    sayOrHide(row.slot("level"), isRaised ? this.#words[level] : "");
    row.slot("level").className = `state state-${level}`;
    return row;
  }
}
