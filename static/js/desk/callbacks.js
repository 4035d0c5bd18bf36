// Callers whom nobody answered. The list closes itself; here it is shown, and people say who rings whom.

import { setText, setTextOrHide } from "../lib/dom.js";
import { comma, fill } from "../lib/format.js";
import { counted } from "../lib/plurals.js";
import { age } from "../lib/times.js";
import { templateWithSlots } from "./slots.js";

const FIRST_ROWS = 6;

export class CallBacksView {
  #server;
  #texts;
  #at;
  #shown = "";
  #rows = [];
  #isWhole = false;

  /** at(ms) writes a moment for the head of a line. */
  constructor({ server, texts, at }) {
    this.#at = at;
    this.#server = server;
    this.#texts = texts;
    document.getElementById("backs-more").addEventListener("click", () => {
      this.#isWhole = true;
      this.#replace(this.#rows);
    });
  }

  /** Fetch the list; what cannot be fetched stays as it was. */
  async refresh() {
    const list = await this.#server.get("call_backs").catch(() => null);
    if (list) {
      this.#show(list);
    }
  }

  #show({ rows, counts }) {
    const texts = this.#texts;
    const told = JSON.stringify(rows);
    this.#figures(counts);
    setTextOrHide(document.getElementById("backs-none"), rows.length ? "" : texts.no_call_backs);
    if (told !== this.#shown) {
      this.#shown = told;
      this.#replace(rows);
    }
  }

  /** How many wait, how long, and whose they are; what is none is left out. */
  #figures(counts) {
    const texts = this.#texts;
    const { open, taken, owners } = counts;
    const oldest = open > 0 && fill(texts.backs_oldest, { age: age(counts.oldest_ms, texts) });
    setText(document.getElementById("backs-counts"), open ? fill(texts.backs_counts, counts) + comma() + oldest : "");
    listed("backs-ages", [
      [texts.backs_young, counts.under_an_hour],
      [texts.backs_today, counts.today],
      [texts.backs_older, counts.older],
    ]);
    const byOwner = owners.map((each) => [texts.backs_of, each.count, each.name || "–"]);
    listed("backs-owners", taken ? [...byOwner, [texts.backs_free, open - taken]] : []);
  }

  /** Somebody who works through the list by keyboard stays where they are. */
  #replace(rows) {
    const list = document.getElementById("backs-rows");
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const number = /** @type {HTMLElement | null} */ (focused?.closest?.(".desk-back"))?.dataset.number;
    const act = focused?.dataset?.act;
    this.#rows = rows;
    const shown = this.#isWhole ? rows : rows.slice(0, FIRST_ROWS);
    list.replaceChildren(...shown.map((row) => this.#row(row)));
    const left = rows.length - shown.length;
    setTextOrHide(document.getElementById("backs-more"), left ? fill(this.#texts.backs_more, { n: left }) : "");
    const children = /** @type {HTMLElement[]} */ ([...list.children]);
    const same = children.find((element) => element.dataset.number === number);
    const button = /** @type {HTMLElement | null | undefined} */ (same?.querySelector(`[data-act="${act}"]:not([hidden])`));
    (button ?? same?.querySelector("a"))?.focus();
  }

  #row(row) {
    const { element, slot } = templateWithSlots("call-back");
    element.dataset.number = row.number;
    setText(slot("name"), row.name);
    slot("name").href = `tel:${row.number}`;
    setText(slot("number"), row.name === row.shown ? "" : row.shown);
    const { backs_waited: waited, backs_times: times, backs_owner: owner } = this.#texts;
    const facts = [
      this.#at(row.at),
      row.waited && fill(waited, { length: row.waited }),
      row.times > 1 && counted(times, row.times),
      row.owner && fill(owner, { by: row.owner }),
    ];
    setText(slot("facts"), facts.filter(Boolean).join(" · "));
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
    const message = document.getElementById("callbacks-message");
    try {
      const list = await this.#server.post("change_call_back", { number, act });
      setText(message, list.is_done ? "" : this.#texts.back_taken);
      this.#show(list);
    } catch {
      setText(message, this.#texts.save_failed);
    }
  }
}

/** A short list of counts with these texts; hidden where all are nought. */
function listed(id, counted) {
  const list = document.getElementById(id);
  const items = counted
    .filter(([, n]) => n > 0)
    .map(([text, n, by]) => {
      const item = document.createElement("li");
      item.textContent = fill(text, { n, by });
      return item;
    });
  list.hidden = items.length === 0;
  list.replaceChildren(...items);
}
