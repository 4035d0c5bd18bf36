// Asks which to keep where two people changed the same thing, showing both.

import { comma, fill } from "../lib/format.js";
import { counted } from "../lib/plurals.js";
import { element } from "./fields.js";
import { isGrid, nameOf, same } from "./values.js";

export class Conflicts {
  constructor(dialog, settings) {
    this.dialog = dialog;
    this.settings = settings;
    this.texts = settings.editor;
    dialog.addEventListener("cancel", (event) => event.preventDefault()); // Escape must not decide
  }

  /** Resolves to {key: "theirs" | "mine"} once each is answered. */
  ask(conflicts, name) {
    return new Promise((resolve) => {
      const choices = {};
      const next = () => {
        const open = conflicts.find((conflict) => !(conflict.key in choices));
        if (!open) {
          this.dialog.close();
          resolve(choices);
          return;
        }
        this.show(open, name, (which) => {
          choices[open.key] = which;
          next();
        });
      };
      next();
    });
  }

  show(conflict, name, answer) {
    const { texts } = this;
    const titles = { card: texts.both, field: texts.both_settings, layout: texts.both_layout };
    const mine = this.side(texts.yours, conflict, "mine");
    const theirs = this.side(fill(texts.of_name, { name }), conflict, "theirs");
    const button = (text, which) => element("button", { type: "button", class: "button", text, onclick: () => answer(which) });
    mine.append(button(texts.keep_yours, "mine"));
    theirs.append(button(fill(texts.keep_theirs, { name }), "theirs"));
    const heading = element("h2", { id: "conflict-title", tabindex: "-1", text: fill(titles[conflict.kind], { name }) });
    this.dialog.replaceChildren(
      heading,
      element("p", { class: "soft", text: texts.both_text }),
      element("div", { class: "conflict-sides" }, mine, theirs),
    );
    if (!this.dialog.open) this.dialog.showModal();
    heading.focus();
  }

  side(title, conflict, which) {
    const node = element("section", { class: "conflict-side" }, element("h3", { text: title }));
    const value = conflict[which];
    const other = conflict[which === "mine" ? "theirs" : "mine"];
    const lines = conflict.kind === "card" ? this.ofCard(value, other) : [this.ofValue(conflict, value)];
    node.append(element("dl", {}, ...lines.flatMap(([term, text]) => [element("dt", { text: term }), element("dd", { text })])));
    return node;
  }

  ofCard(card, other) {
    const { texts } = this;
    if (!card) return [[nameOf(other, this.settings.kinds), texts.was_removed]];
    const lines = [[nameOf(card, this.settings.kinds), fill(texts.place_of, { x: card.x + 1, y: card.y + 1, w: card.w, h: card.h })]];
    const shown = ["title", "size", "queues", "people", "levels", "figure", "window", "text", "zone", "image", "fit"];
    const different = shown.filter((key) => key in card && (!other || !same(card[key], other[key])));
    return [
      ...lines,
      ...different.map((key) => [fill(texts.options[key], { what: texts.level_of[card.figure || card.kind] }), this.shown(key, card[key])]),
    ];
  }

  ofValue({ kind, field }, value) {
    const { texts } = this;
    if (kind === "layout") return [texts.layout, isGrid(value) ? counted(texts.cards_of, value.cards.length) : texts.automatic];
    return [texts.options[field], this.shown(field, value)];
  }

  /** A setting in words. */
  shown(key, value) {
    const { texts, settings } = this;
    const named = (list, number) => (list.find((each) => each.number === number) || { name: number }).name;
    const ways = {
      queues: () => (value ? value.map((number) => named(settings.queues, number)).join(comma()) : texts.all_queues),
      people: () => (value ? value.map((number) => named(settings.people, number)).join(comma()) : texts.all_people),
      levels: () =>
        value
          ? `${texts.watch_from} ${value.watch ?? "–"}${comma()}${texts.late_from} ${value.late ?? "–"}${comma()}${value.below ? texts.below : texts.above}`
          : "–",
      figure: () => settings.figures[value].name,
      window: () => texts.windows[value],
      size: () => texts.sizes[value],
      fit: () => texts.fits[value],
      theme: () => settings.choices.themes[value],
      zone: () => value || texts.company_zone,
      time_zone: () => value || texts.company_zone,
      language: () => settings.languages.find(([code]) => code === value)?.[1] ?? value,
      image: () => (settings.pictures.find((picture) => picture.id === value) || { name: texts.no_image }).name,
      sections: () => value.map((section) => settings.sections[section]).join(comma()),
    };
    return ways[key] ? ways[key]() : String(value) || "–";
  }
}
