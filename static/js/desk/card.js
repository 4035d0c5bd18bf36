// The large card of one call. It is built once and then kept up to date, so that typing is never disturbed.

import { closeText, lookOf, stateOf, timeOf } from "./call-texts.js";
import { ContactPart, chip } from "./contact.js";
import { openByItself, showLinks } from "./links.js";
import { NoteKeeper } from "./note.js";
import { RecordPart } from "./record.js";
import { setText, setTextOrHide } from "../lib/dom.js";
import { fill } from "../lib/format.js";
import { templateWithSlots } from "./slots.js";

let cards = 0;

export class CardView {
  #slot;
  #texts;
  #at;
  #contact;
  #record;
  #rules;
  #hasFocus;
  #card = null;

  constructor(deps, onClose, onIgnore) {
    const { element, slot } = templateWithSlots("card");
    this.element = element;
    this.#slot = slot;
    this.#texts = deps.texts;
    this.#at = deps.at;
    this.field = slot("note");
    this.field.id = `note-${(cards += 1)}`;
    slot("note-label").htmlFor = this.field.id;
    this.note = new NoteKeeper(this.field, (text, isWorry) => this.#saidOfNote(text, isWorry), deps);
    this.#rules = deps.rules;
    this.#hasFocus = deps.hasFocus;
    this.#contact = new ContactPart(slot, deps, (id) => this.note.choose({ contact: id }));
    this.#record = new RecordPart(slot, deps);
    element.querySelector('[data-act="close"]').addEventListener("click", onClose);
    slot("ignore").addEventListener("click", onIgnore);
  }

  update(entry, now, asOf) {
    if (entry.card && entry.card !== this.#card) {
      this.#fill(entry);
    }
    this.element.dataset.state = lookOf(entry);
    setText(this.#slot("state"), stateOf(entry, this.#texts));
    this.tick(entry, now, asOf);
    setText(this.element.querySelector('[data-act="close"]'), closeText(entry, this.#texts));
    this.#slot("dial").hidden = !entry.card?.dial || entry.state !== "ended";
  }

  tick(entry, now, asOf) {
    setText(this.#slot("time"), timeOf(entry, now, this.#texts, asOf));
  }

  #fill(entry) {
    const card = entry.card;
    this.#card = card;
    setText(this.#slot("name"), card.name);
    setTextOrHide(this.#slot("number"), card.number);
    setTextOrHide(this.#slot("place"), card.place);
    setText(this.#slot("queue"), card.queue ? ` · ${card.queue}` : "");
    setTextOrHide(this.#slot("sentences"), card.sentences.join(" "));
    if (entry.is_outgoing) {
      setText(this.#slot("dial"), this.#texts.call_again);
    }
    this.#slot("dial").href = `tel:${encodeURIComponent(card.dial).replace("%2B", "+")}`;
    this.#slot("earlier-part").hidden = card.earlier.length === 0;
    this.#slot("earlier").replaceChildren(...card.earlier.map((call) => earlierCall(call, this.#texts, this.#at)));
    this.note.open(entry.leg, entry.call, card.note);
    this.#contact.fill(entry, this.note.contact);
    this.#record.fill(entry.leg);
    this.#showOutcomes();
    this.#slot("ignore").hidden = !card.can_ignore;
    showLinks(this.#slot("links"), card.links);
    openByItself(entry, this.#rules().opens, this.#hasFocus());
  }

  /** Nothing the person is in the middle of may be put away or covered. */
  get isInUse() {
    return this.#contact.isOpen || !this.note.isEmpty;
  }

  #showOutcomes() {
    const group = this.#slot("outcomes");
    const hadFocus = [...group.children].indexOf(group.ownerDocument.activeElement);
    const { outcomes } = this.#card;
    group.hidden = outcomes.length === 0;
    group.replaceChildren(...outcomes.map(({ id, name }) => this.#outcome(id, name)));
    group.children[hadFocus]?.focus();
  }

  #outcome(id, name) {
    const isChosen = this.note.outcome === id;
    return chip(name, isChosen, () => {
      this.note.choose({ outcome: isChosen ? null : id });
      this.#showOutcomes();
    });
  }

  #saidOfNote(text, isWorry) {
    const kept = this.#slot("kept");
    setText(kept, text);
    kept.classList.toggle("desk-note-worry", isWorry);
  }
}

function earlierCall(call, texts, at) {
  const { element, slot } = templateWithSlots("earlier-call");
  const from = call.number && fill(texts.by_number, { number: call.number });
  setText(slot("head"), [at(call.at), ...howItWent(call, texts), from].filter(Boolean).join(", "));
  const notes = call.notes.map(({ by, text, outcome }) => {
    const told = outcome && text ? fill(texts.noted, { outcome, text }) : outcome || text;
    return by && by !== call.who ? fill(texts.by, { by, text: told }) : told;
  });
  const tried = call.rang && !call.is_outgoing ? rangFor(call, texts) : "";
  setTextOrHide(slot("more"), notes.join(" · ") || tried);
  return element;
}

function howItWent(call, texts) {
  if (call.is_outgoing) {
    const who = fill(texts.you_called, { who: call.who });
    return call.is_answered ? [who, call.talked] : [who, texts.no_answer];
  }
  if (!call.is_answered) {
    return [call.is_over ? texts.unanswered : texts.going_on];
  }
  return [call.who, call.talked || (call.is_over ? "" : texts.going_on)];
}

function rangFor(call, texts) {
  return fill(call.queue ? texts.rang_queue : texts.rang_for, { queue: call.queue, length: call.rang });
}
