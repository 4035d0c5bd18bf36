/* Everybody at the company, sorted once and found by letters, state or star: made for thousands, draws a few hundred. */
import { asciiDigits } from "../lib/digits.js";
import { LOCALE } from "../lib/format.js";
import { hasStatus } from "./status.js";

const collator = new Intl.Collator(LOCALE, { numeric: true, sensitivity: "base" });

/* Letters without their marks and in one case, so that "ozkan" finds Özkan, and digits of one script. */
export function plain(text) {
  return asciiDigits(text)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}

export class Members {
  constructor(favourites) {
    this.favourites = new Set(favourites);
    this.all = [];
    this.known = new Map();
  }

  /* documents: Map of the feed `people`. Sorts anew only where somebody came, went or was renamed. */
  take(documents) {
    let isSorted = documents.size - (documents.has("events") ? 1 : 0) === this.known.size;
    documents.forEach((person, key) => {
      if (key === "events") return;
      const known = this.known.get(key);
      if (known && known.person === person) return;
      if (known && known.person.name === person.name) known.person = person;
      else isSorted = false;
    });
    if (!isSorted) this.sort(documents);
  }

  sort(documents) {
    this.known = new Map();
    documents.forEach((person, key) => {
      if (key === "events") return;
      this.known.set(key, { person, title: person.name || key, texts: plain(person.name + " " + key) });
    });
    this.all = Array.from(this.known.values());
    this.rank();
  }

  /* Favourites first, then by name. */
  rank() {
    const isFirst = (member) => this.favourites.has(member.person.extension);
    this.all.sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)) || collator.compare(one.title, other.title));
  }

  star(extension, isFavourite) {
    if (isFavourite) this.favourites.add(extension);
    else this.favourites.delete(extension);
    this.rank();
  }

  /* How many there are of each kind; states count only while they are known. */
  counts(isTrusted, now) {
    const counts = { all: this.all.length, status: 0, favourites: 0 };
    for (const { person } of this.all) {
      if (isTrusted) counts[person.state] = (counts[person.state] || 0) + 1;
      if (hasStatus(person, now)) counts.status += 1;
      if (this.favourites.has(person.extension)) counts.favourites += 1;
    }
    return counts;
  }

  /* Those with these letters, of one kind. */
  found(letters, kind, isTrusted, now) {
    const wanted = plain(letters.trim()).split(/\s+/);
    return this.all.filter((member) => this.is(member.person, kind, isTrusted, now) && wanted.every((each) => member.texts.includes(each)));
  }

  is(person, kind, isTrusted, now) {
    if (kind === "all") return true;
    if (kind === "status") return hasStatus(person, now);
    if (kind === "favourites") return this.favourites.has(person.extension);
    return isTrusted && person.state === kind;
  }
}
