// Callers whom nobody answered. The list closes itself; here it is shown, and people say who rings whom.

import { part, say, sayOrHide } from "./parts.js";
import { fill, roughly } from "./times.js";

export class CallBacksView {
  #server;
  #words;
  #at;
  #shown = "";

  /** at(ms) writes a moment for the head of a line. */
  constructor({ server, words, at }) {
    this.#at = at;
    this.#server = server;
    this.#words = words;
  }

  /** Fetch the list; what cannot be fetched stays as it was. */
  async refresh() {
    const list = await this.#server.get("call_backs").catch(() => null);
    if (list) {
      this.#show(list);
    }
  }

  #show({ rows, counts }) {
    const words = this.#words;
    const told = JSON.stringify(rows);
    this.#figures(counts);
    sayOrHide(document.getElementById("backs-none"), rows.length ? "" : words.no_call_backs);
    if (told !== this.#shown) {
      this.#shown = told;
      this.#replace(rows);
    }
  }

  /** How many wait, how long, and whose they are; what is none is left out. */
  #figures(counts) {
    const words = this.#words;
    const { open, taken, owners } = counts;
    const oldest = open > 0 && fill(words.backs_oldest, { age: roughly(counts.oldest_ms, words) });
    say(document.getElementById("backs-counts"), open ? `${fill(words.backs_counts, counts)}, ${oldest}` : "");
    listed("backs-ages", [
      [words.backs_young, counts.under_an_hour],
      [words.backs_today, counts.today],
      [words.backs_older, counts.older],
    ]);
    const byOwner = owners.map((each) => [words.backs_of, each.count, each.name || "–"]);
    listed("backs-owners", taken ? [...byOwner, [words.backs_free, open - taken]] : []);
  }

  /** Somebody who works through the list by keyboard stays where they are. */
  #replace(rows) {
    const list = document.getElementById("backs-rows");
    const { number } = document.activeElement?.closest?.(".desk-back")?.dataset ?? {};
    const { act } = document.activeElement?.dataset ?? {};
    list.replaceChildren(...rows.map((row) => this.#row(row)));
    const same = [...list.children].find((element) => element.dataset.number === number);
    (same?.querySelector(`[data-act="${act}"]:not([hidden])`) ?? same?.querySelector("a"))?.focus();
  }

  #row(row) {
    const { element, slot } = part("call-back");
    element.dataset.number = row.number;
    say(slot("name"), row.name);
    slot("name").href = `tel:${row.number}`;
    say(slot("number"), row.name === row.shown ? "" : row.shown);
    const { backs_waited: waited, backs_times: times, backs_owner: owner } = this.#words;
    const facts = [this.#at(row.at), row.waited && fill(waited, { length: row.waited }), row.times > 1 && fill(times, { n: row.times }), row.owner && fill(owner, { by: row.owner })];
    say(slot("facts"), facts.filter(Boolean).join(" · "));
    this.#acts(element, row);
    return element;
  }

  #acts(element, row) {
    const isOthers = row.owner !== "" && !row.is_mine;
    for (const button of element.querySelectorAll("[data-act]")) {
      const { act } = button.dataset;
      button.hidden = isOthers || (act === "take" && row.is_mine) || (act === "leave" && !row.is_mine);
      button.addEventListener("click", () => this.#change(row.number, act));
    }
  }

  async #change(number, act) {
    const said = document.getElementById("backs-said");
    try {
      const list = await this.#server.post("change_call_back", { number, act });
      say(said, list.is_done ? "" : this.#words.back_taken);
      this.#show(list);
    } catch {
      say(said, this.#words.save_failed);
    }
  }
}

/** A short list of counts under these words; hidden where all are nought. */
function listed(id, counted) {
  const list = document.getElementById(id);
  const items = counted.filter(([, n]) => n > 0).map(([text, n, by]) => {
    const item = document.createElement("li");
    item.textContent = fill(text, { n, by });
    return item;
  });
  list.hidden = items.length === 0;
  list.replaceChildren(...items);
}
