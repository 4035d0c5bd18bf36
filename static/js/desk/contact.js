// Whom the company takes the caller for: one contact, a choice of several, or a form to save a new one.

import { setText, setTextOrHide } from "../lib/dom.js";
import { comma } from "../lib/format.js";

export class ContactPart {
  #slot;
  #deps;
  #entry = null;

  /** deps: {server, texts, changed, remember}; choose(id) keeps the choice with the call, remember() fetches what is
   * known of that contact. */
  constructor(slot, deps, choose) {
    this.#slot = slot;
    this.#deps = { ...deps, choose };
    slot("save-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(new FormData(slot("save-form")));
    });
  }

  /** Whether the person is writing into the form. */
  get isOpen() {
    return this.#slot("save").open && !this.#slot("save").hidden;
  }

  fill(entry, chosenId) {
    this.#entry = entry;
    const { contacts, can_save: canSave } = entry.card;
    const chosen = contacts.find(({ id }) => id === chosenId) ?? (contacts.length === 1 ? contacts[0] : null);
    setTextOrHide(this.#slot("company"), chosen?.company ?? "");
    this.#slot("save").hidden = !canSave;
    this.#slot("chooser").hidden = contacts.length < 2;
    this.#slot("choices").replaceChildren(...(contacts.length < 2 ? [] : contacts.map((one) => this.#chip(one, chosen))));
  }

  #chip(contact, chosen) {
    const text = contact.company ? contact.name + comma() + contact.company : contact.name;
    return chip(text, contact.id === chosen?.id, () => this.#take(contact));
  }

  #take(contact) {
    const entry = this.#entry;
    entry.card = { ...entry.card, name: contact.name, number: entry.card.number || entry.card.name };
    this.#deps.choose(contact.id);
    this.#deps.changed();
    this.#deps.remember(entry, contact.id);
    (this.#slot("choices").querySelector('[aria-pressed="true"]') ?? this.#slot("note")).focus();
  }

  async #save(form) {
    const entry = this.#entry;
    const wish = { leg: entry.leg, name: form.get("name"), company: form.get("company") };
    setText(this.#slot("save-failed"), "");
    try {
      const contact = await this.#deps.server.post("save_contact", wish);
      entry.card = { ...entry.card, contacts: [contact], can_save: false };
      this.#entry = entry;
      this.#take(contact);
    } catch {
      setText(this.#slot("save-failed"), this.#deps.texts.save_failed);
    }
  }
}

/** A button that is either pressed or not. */
export function chip(text, isPressed, onPress) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "desk-chip";
  button.dir = "auto";
  button.textContent = text;
  button.setAttribute("aria-pressed", String(isPressed));
  button.addEventListener("click", onPress);
  return button;
}
