// What the company's own program knows of a caller: text and links, asked for once the card stands there.

import { setTextOrHide } from "../lib/dom.js";
import { showLinks } from "./links.js";

export class RecordPart {
  #slot;
  #server;
  #leg = null;

  constructor(slot, { server }) {
    this.#slot = slot;
    this.#server = server;
  }

  /** Nothing waits for it, and a card without an answer is as it was. */
  fill(leg) {
    if (this.#leg === leg || !this.#server.has("record")) {
      return;
    }
    this.#leg = leg;
    this.#server.post("record", { leg }).then(
      ({ record }) => record && this.#show(record),
      () => {},
    );
  }

  #show({ title, lines, links }) {
    setTextOrHide(this.#slot("record-title"), title);
    this.#slot("record-lines").replaceChildren(...lines.map(row));
    showLinks(
      this.#slot("record-links"),
      links.map(({ label, url }) => ({ name: label, href: url })),
    );
    this.#slot("record").hidden = false;
  }
}

function row({ label, text }) {
  const line = document.createElement("div");
  line.append(part("dt", label), part("dd", text));
  return line;
}

function part(name, text) {
  const element = document.createElement(name);
  element.dir = "auto";
  element.textContent = text;
  return element;
}
