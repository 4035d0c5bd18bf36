// Asks which to keep where two people changed the same thing, showing both.

import { fill } from "../views/format.js";
import { element } from "./fields.js";
import { isGrid, nameOf, same } from "./values.js";

export class Conflicts {
  constructor(dialog, settings) {
    this.dialog = dialog;
    this.settings = settings;
    this.words = settings.editor;
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
    const { words } = this;
    const titles = { card: words.both, field: words.both_settings, layout: words.both_layout };
    const mine = this.side(words.yours, conflict, "mine");
    const theirs = this.side(fill(words.of_name, { name }), conflict, "theirs");
    const button = (text, which) => element("button", { type: "button", class: "button", text, onclick: () => answer(which) });
    mine.append(button(words.keep_yours, "mine"));
    theirs.append(button(fill(words.keep_theirs, { name }), "theirs"));
    const heading = element("h2", { id: "conflict-title", tabindex: "-1", text: fill(titles[conflict.kind], { name }) });
    this.dialog.replaceChildren(heading, element("p", { class: "soft", text: words.both_text }), element("div", { class: "conflict-sides" }, mine, theirs));
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
    const { words } = this;
    if (!card) return [[nameOf(other, this.settings.kinds), words.was_removed]];
    const lines = [[nameOf(card, this.settings.kinds), fill(words.place_of, { x: card.x + 1, y: card.y + 1, w: card.w, h: card.h })]];
    const shown = ["title", "size", "queues", "people", "levels", "figure", "window", "text", "zone", "image", "fit"];
    const different = shown.filter((key) => key in card && (!other || !same(card[key], other[key])));
    return [...lines, ...different.map((key) => [fill(words.options[key], { what: words.level_of[card.figure || card.kind] }), this.said(key, card[key])])];
  }

  ofValue({ kind, field }, value) {
    const { words } = this;
    if (kind === "layout") return [words.layout, isGrid(value) ? fill(words.cards_of, { n: value.cards.length }) : words.automatic];
    return [words.options[field], this.said(field, value)];
  }

  /** A setting in words. */
  said(key, value) {
    const { words, settings } = this;
    const named = (list, number) => (list.find((each) => each.number === number) || { name: number }).name;
    const ways = {
      queues: () => (value ? value.map((number) => named(settings.queues, number)).join(", ") : words.all_queues),
      people: () => (value ? value.map((number) => named(settings.people, number)).join(", ") : words.all_people),
      levels: () => (value ? `${words.watch_from} ${value.watch ?? "–"}, ${words.late_from} ${value.late ?? "–"}, ${value.below ? words.below : words.above}` : "–"),
      figure: () => settings.figures[value].name,
      window: () => words.windows[value],
      size: () => words.sizes[value],
      fit: () => words.fits[value],
      theme: () => settings.choices.themes[value],
      zone: () => value || words.company_zone,
      time_zone: () => value || words.company_zone,
      image: () => (settings.pictures.find((picture) => picture.id === value) || { name: words.no_image }).name,
      sections: () => value.map((section) => settings.sections[section]).join(", "),
    };
    return ways[key] ? ways[key]() : String(value) || "–";
  }
}
