// Colleagues and what their phones do: the free ones first, the longest free on top.

import { asciiDigits } from "../lib/digits.js";
import { setChildren, setText, setTextOrHide } from "../lib/dom.js";
import { duration, fill } from "../lib/format.js";
import { age } from "../lib/times.js";
import { eventAgeText } from "../views/event-age.js";
import { hasStatus, statusText } from "../views/status.js";
import { templateWithSlots } from "./slots.js";

const WORDS = { ringing: "rings", talking: "out_talking" }; // where a text of that name says something else
const ORDER = { idle: 0, talking: 1, ringing: 2, calling: 3, unknown: 4 };
const MOST_ROWS = 200;

export class PeopleView {
  #section = document.getElementById("people");
  #rows = document.getElementById("people-rows");
  #search = /** @type {HTMLInputElement} */ (document.getElementById("people-search"));
  #own;
  #texts;
  #zone;
  #shown = new Map();
  #people = [];
  #isTrusted = false;

  constructor(ownExtension, texts, zone) {
    this.#own = ownExtension;
    this.#texts = texts;
    this.#zone = zone;
    this.#search.addEventListener("input", () => this.#render(this.#now));
  }

  #now = 0;

  /** documents: Map of the feed `people`; isTrusted: whether call events arrive, so that "free" may be said. */
  update(documents, isTrusted, now) {
    this.#people = [...documents.entries()].filter(([key]) => key !== "events" && key !== this.#own).map(([, person]) => person);
    this.#isTrusted = isTrusted;
    this.#render(now);
  }

  tick(now) {
    this.#now = now;
    for (const { row, person } of this.#shown.values()) {
      setText(row.slot("state"), this.#stateOf(person, now));
      setTextOrHide(row.slot("status"), this.#statusOf(person, now));
    }
  }

  #render(now) {
    this.#now = now;
    const found = this.#found();
    const kept = new Map(found.map((person) => [person.extension, this.#row(person, now)]));
    this.#shown = kept;
    setChildren(
      this.#rows,
      [...kept.values()].map(({ row }) => row.element),
    );
    const seen = this.#people.filter((person) => person.state !== "unknown");
    const free = seen.filter((person) => person.state === "idle" && !hasStatus(person, now)).length;
    setText(document.getElementById("people-free"), this.#isTrusted && seen.length ? this.#freeText(free) : "");
    this.#section.classList.toggle("is-doubtful", !this.#isTrusted);
    const none = this.#people.length ? this.#texts.nobody_found : this.#texts.nobody_yet;
    setTextOrHide(document.getElementById("people-none"), found.length ? "" : none);
    this.#search.hidden = this.#people.length === 0;
  }

  #freeText(free) {
    return free ? fill(this.#texts.free, { n: free }) : this.#texts.nobody_free;
  }

  #found() {
    const plain = (text) => asciiDigits(text).toLowerCase();
    const wanted = plain(this.#search.value.trim());
    const isFound = (person) => plain(`${person.name} ${person.extension}`).includes(wanted);
    return this.#people
      .filter(isFound)
      .sort((one, other) => freeFirst(one, other, this.#now))
      .slice(0, MOST_ROWS);
  }

  #row(person, now) {
    const row = this.#shown.get(person.extension)?.row ?? templateWithSlots("colleague");
    row.element.firstElementChild.href = `tel:${encodeURIComponent(person.extension)}`;
    row.element.dataset.state = person.state;
    setText(row.slot("name"), person.name || person.extension);
    setText(row.slot("extension"), person.name ? person.extension : "");
    setText(row.slot("state"), this.#stateOf(person, now));
    setTextOrHide(row.slot("status"), this.#statusOf(person, now));
    return { row, person };
  }

  /* What they say of themselves, one word and the time of return; it ends by our own clock. */
  #statusOf(person, now) {
    return statusText(person, { now, zone: this.#zone, texts: this.#texts });
  }

  #stateOf(person, now) {
    const word = this.#texts[WORDS[person.state] ?? person.state] ?? person.state;
    if (!this.#isTrusted && person.state !== "unknown") {
      return fill(this.#texts.was, { state: word });
    }
    const ago = Math.max(0, now - person.since);
    switch (person.state) {
      case "idle":
        return person.since ? `${word} ${age(ago, this.#texts)}` : word;
      case "talking":
        return [`${word} ${duration(ago / 1000)}`, eventAgeText(person, { now, texts: this.#texts })].filter(Boolean).join(" · ");
      default:
        return word;
    }
  }
}

function freeFirst(one, other, now) {
  const bySaid = Number(hasStatus(one, now)) - Number(hasStatus(other, now));
  const byState = (ORDER[one.state] ?? 5) - (ORDER[other.state] ?? 5);
  return byState || bySaid || (one.since ?? Infinity) - (other.since ?? Infinity) || one.extension.localeCompare(other.extension);
}
