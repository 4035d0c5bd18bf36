// What somebody takes away of a moment: its link, and a picture of it.

import { part, setText } from "../lib/dom.js";
import { pictureOf } from "./picture.js";

const SAID_MS = 6000;

export class Share {
  /**
   * @param {HTMLElement} panel
   * @param {Record<string, string>} texts copied, not_copied, saved, not_saved
   * @param {{writeAddress: () => void, name: () => string, nodes: () => HTMLElement[]}} shown name and nodes are those of the picture
   */
  constructor(panel, texts, shown) {
    this.told = part(panel, "replay-done");
    this.texts = texts;
    this.shown = shown;
    this.timer = 0;
    panel.querySelector("#copy")?.addEventListener("click", () => this.copy());
    panel.querySelector("#picture")?.addEventListener("click", () => this.picture());
  }

  /* Browsers give the clipboard to pages over HTTPS only. */
  async copy() {
    this.shown.writeAddress();
    const isCopied = await (navigator.clipboard ? navigator.clipboard.writeText(location.href) : Promise.reject()).then(
      () => true,
      () => false,
    );
    this.tell(isCopied ? this.texts.copied : this.texts.not_copied);
  }

  async picture() {
    try {
      const blob = await pictureOf(this.shown.nodes());
      save(blob, this.shown.name());
      this.tell(this.texts.saved);
    } catch {
      this.tell(this.texts.not_saved);
    }
  }

  /** @param {string} text */
  tell(text) {
    clearTimeout(this.timer);
    setText(this.told, text);
    this.timer = setTimeout(() => setText(this.told, ""), SAID_MS);
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
