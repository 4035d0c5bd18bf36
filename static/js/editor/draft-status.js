// What the editor's head says of the draft: whether it is saved, by whom, and who else is editing.
import { clock, comma, fill } from "../lib/format.js";

const BAD = ["not_saved", "signed_out", "refused"];

export class DraftStatus {
  #part;
  #settings;

  /** part(name): a part of the page by its class. */
  constructor(part, settings) {
    this.#part = part;
    this.#settings = settings;
  }

  /** name: what became of the draft; values: {at, name}; waits: whether there is anything to publish. */
  show(name, values, waits) {
    const { editor: texts, zone, me } = this.#settings;
    const node = this.#part("draft-state");
    const time = values.at ? clock(values.at, zone, Date.now()) : "";
    const isOthers = name === "saved" && values.name && values.name !== me;
    node.textContent = fill(texts[isOthers ? "saved_by" : name], { ...values, time });
    node.dataset.state = BAD.includes(name) ? "bad" : name;
    this.#part("publish").disabled = !waits;
    this.#part("discard").disabled = !waits;
  }

  /** The names of the others who edit this board now. */
  showEditors(names, me) {
    const { editor: texts } = this.#settings;
    const others = names.filter((name) => name !== me).map((name) => name || texts.somebody);
    const sentences = [];
    if (others.length) sentences.push(fill(texts[others.length > 1 ? "also_here_many" : "also_here"], { names: others.join(comma()) }));
    if (names.includes(me)) sentences.push(texts.you_too);
    const text = sentences.join(" · ");
    if (this.#part("others").textContent !== text) this.#part("others").textContent = text;
  }

  boardGone() {
    this.#part("draft-state").textContent = this.#settings.editor.removed_board;
  }
}
