// Colleagues and what their phones do: the free ones first, the longest free on top.

import { order, part, say, sayOrHide } from "./parts.js";
import { fill, length, roughly } from "./times.js";
import { isSaid, saidWords } from "../views/said.js";

const ORDER = { idle: 0, talking: 1, ringing: 2, calling: 3, unknown: 4 };
const MOST_ROWS = 200;

export class PeopleView {
  #section = document.getElementById("people");
  #rows = document.getElementById("people-rows");
  #search = document.getElementById("people-search");
  #own;
  #words;
  #zone;
  #shown = new Map();
  #people = [];
  #isTrusted = false;

  constructor(ownExtension, words, zone) {
    this.#own = ownExtension;
    this.#words = words;
    this.#zone = zone;
    this.#search.addEventListener("input", () => this.#render(this.#now));
  }

  #now = 0;

  /** documents: Map of the feed `people`; isTrusted: whether call events arrive, so that "free" may be said. */
  update(documents, isTrusted, now) {
    this.#people = [...documents.entries()]
      .filter(([key]) => key !== "events" && key !== this.#own)
      .map(([, person]) => person);
    this.#isTrusted = isTrusted;
    this.#render(now);
  }

  tick(now) {
    this.#now = now;
    for (const { row, person } of this.#shown.values()) {
      say(row.slot("state"), this.#stateOf(person, now));
      sayOrHide(row.slot("said"), this.#saidOf(person, now));
    }
  }

  #render(now) {
    this.#now = now;
    const found = this.#found();
    const kept = new Map(found.map((person) => [person.extension, this.#row(person, now)]));
    this.#shown = kept;
    order(this.#rows, [...kept.values()].map(({ row }) => row.element));
    const seen = this.#people.filter((person) => person.state !== "unknown");
    const free = seen.filter((person) => person.state === "idle" && !isSaid(person, now)).length;
    say(document.getElementById("people-free"), this.#isTrusted && seen.length ? this.#freeWords(free) : "");
    this.#section.classList.toggle("is-doubtful", !this.#isTrusted);
    const none = this.#people.length ? this.#words.nobody_found : this.#words.nobody_yet;
    sayOrHide(document.getElementById("people-none"), found.length ? "" : none);
    this.#search.hidden = this.#people.length === 0;
  }

  #freeWords(free) {
    return free ? fill(this.#words.free, { n: free }) : this.#words.nobody_free;
  }

  #found() {
    const wanted = this.#search.value.trim().toLowerCase();
    const isFound = (person) => `${person.name} ${person.extension}`.toLowerCase().includes(wanted);
    return this.#people.filter(isFound).sort((one, other) => freeFirst(one, other, this.#now)).slice(0, MOST_ROWS);
  }

  #row(person, now) {
    const row = this.#shown.get(person.extension)?.row ?? part("colleague");
    row.element.firstElementChild.href = `tel:${encodeURIComponent(person.extension)}`;
    row.element.dataset.state = person.state;
    say(row.slot("name"), person.name || person.extension);
    say(row.slot("extension"), person.name ? person.extension : "");
    say(row.slot("state"), this.#stateOf(person, now));
    sayOrHide(row.slot("said"), this.#saidOf(person, now));
    return { row, person };
  }

  /* What they say of themselves, one word and the time of return; it ends by our own clock. */
  #saidOf(person, now) {
    return saidWords(person, { now, zone: this.#zone, words: this.#words });
  }

  #stateOf(person, now) {
    const word = this.#words[person.state === "ringing" ? "rings" : person.state] ?? person.state;
    if (!this.#isTrusted && person.state !== "unknown") {
      return fill(this.#words.was, { state: word.toLowerCase() });
    }
    const ago = Math.max(0, now - person.since);
    switch (person.state) {
      case "idle":
        return person.since ? `${word} ${roughly(ago, this.#words)}` : word;
      case "talking":
        return `${word.toLowerCase()} ${length(ago)}`;
      default:
        return word;
    }
  }
}

function freeFirst(one, other, now) {
  const bySaid = isSaid(one, now) - isSaid(other, now);
  const byState = (ORDER[one.state] ?? 5) - (ORDER[other.state] ?? 5);
  return byState || bySaid || (one.since ?? Infinity) - (other.since ?? Infinity) || one.extension.localeCompare(other.extension);
}
