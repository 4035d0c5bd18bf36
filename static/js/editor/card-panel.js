// The settings of the selected card, made from what its kind takes.

import { fill } from "../lib/format.js";
import { choiceField, element, numberField, radioField, someField, textField, zoneField } from "./fields.js";
import { pictureField } from "./image-field.js";
import { nameOf } from "./values.js";

export class CardPanel {
  constructor(root, work, settings, server) {
    this.root = root;
    this.work = work;
    this.settings = settings;
    this.texts = settings.editor;
    this.server = server;
    this.madeFor = "";
    this.fields = [];
    this.follows = []; // what hears of the card after each change of it
  }

  /** Show the selected card; the controls are made anew only for another card. */
  update() {
    const card = this.work.card(this.work.selected);
    this.root.hidden = !card;
    if (!card) return;
    const key = `${card.id} ${card.kind}`;
    if (key !== this.madeFor) this.make(card, key);
    this.heading.textContent = fill(this.texts.card_settings, { card: nameOf(card, this.settings.kinds) });
    for (const { field, read } of this.fields) {
      if (!field.node.contains(document.activeElement) || this.shown !== this.work.outside) field.show(read(card));
    }
    this.shown = this.work.outside;
    for (const follow of this.follows) follow(card);
  }

  focus() {
    const first = this.root.querySelector("input, select, textarea, button");
    if (first) first.focus();
  }

  make(card, key) {
    this.madeFor = key;
    this.fields = [];
    this.follows = [];
    this.heading = element("h2", { text: "" });
    this.root.replaceChildren(this.heading);
    const kind = this.settings.kinds[card.kind];
    this.put(
      textField(this.texts.options.title, this.settings.limits.title, (title) => this.change({ title }, "title")),
      (each) => each.title,
    );
    for (const option of kind.options) {
      if (OPTIONS[option]) OPTIONS[option](this, card);
    }
    const sizes = this.settings.choices.sizes.map((size) => [size, this.texts.sizes[size]]);
    this.put(
      radioField(this.texts.options.size, sizes, (size) => this.change({ size })),
      (each) => each.size,
    );
    this.place(kind);
    const remove = () => this.work.remove(this.id);
    this.root.append(
      element("button", { type: "button", class: "button-quiet button-danger", text: this.texts.remove_card, onclick: remove }),
    );
  }

  get id() {
    return this.work.selected;
  }

  put(field, read, parent = this.root) {
    this.fields.push({ field, read });
    parent.append(field.node);
  }

  change(settings, field = "") {
    this.work.change(this.id, settings, field);
  }

  /** A single figure is of queues or of people: which, its figure says. */
  hideUnlessCovered(field, name) {
    this.follows.push((card) => {
      if (card.figure) field.node.hidden = !this.settings.figures[card.figure].covers.includes(name);
    });
  }

  /** Column, row, width and height as numbers: what the mouse does, without one. */
  place(kind) {
    const { columns, most_rows } = this.settings.limits;
    const box = element("div", { class: "four" });
    const add = (name, key, offset, min, max) => {
      const go = (value) =>
        this.work.place({ ...this.work.card(this.id), [key]: value - offset }, key === "w" || key === "h", `place ${this.id}`);
      this.put(numberField(this.texts[name], { min, max, step: 1, isNeeded: true }, go), (card) => card[key] + offset, box);
    };
    add("column", "x", 1, 1, columns);
    add("row", "y", 1, 1, most_rows);
    add("width", "w", 0, kind.least_width, columns);
    add("height", "h", 0, kind.least_height, most_rows);
    this.root.append(element("fieldset", { class: "field" }, element("legend", { text: this.texts.options.place }), box));
  }
}

// Without levels of their own these stand as the targets of their queues say (views/figure-values.js, views/card-scope.js).
const HAVE_TARGETS = ["tiles", "queue", "table", "waiting", "most_waiting", "longest", "available"];

const OPTIONS = {
  queues(panel, card) {
    const { texts, settings } = panel;
    if (card.kind === "queue") {
      const choices = settings.queues.map((queue) => [queue.number, queue.name]);
      panel.put(
        choiceField(texts.board_queues, choices, (number) => panel.change({ queues: [number] })),
        (each) => (each.queues || [""])[0],
      );
      return;
    }
    const own = { all: texts.all_queues, some: texts.these_queues, up: texts.up, down: texts.down, empty: texts.nothing_found };
    const field = someField(texts.options.queues, settings.queues, own, (queues) => panel.change({ queues }));
    panel.put(field, (each) => each.queues);
    panel.hideUnlessCovered(field, "queues");
  },

  people(panel) {
    const { texts, settings } = panel;
    const own = { all: texts.all_people, some: texts.these_people, empty: texts.nothing_found };
    const field = someField(texts.options.people, settings.people, own, (people) => panel.change({ people }), { isOrdered: false });
    panel.put(field, (each) => each.people);
    panel.hideUnlessCovered(field, "people");
  },

  levels(panel) {
    const { texts } = panel;
    const box = element("div", { class: "four" });
    const set = (key) => (value) => {
      const levels = { ...(panel.work.card(panel.id).levels || { watch: null, late: null, below: false }), [key]: value };
      const isBad =
        levels.watch !== null && levels.late !== null && (levels.below ? levels.late > levels.watch : levels.late < levels.watch);
      say(panel.work.card(panel.id), isBad);
      hint.classList.toggle("errorlist", isBad);
      if (!isBad) panel.change({ levels: levels.watch === null && levels.late === null && !levels.below ? null : levels }, `levels ${key}`);
    };
    const hint = element("p", { class: "hint" });
    const legend = element("legend");
    const say = (card, isBad) => {
      const what = card.figure || card.kind;
      legend.textContent = fill(texts.options.levels, { what: texts.level_of[what] });
      hint.textContent = isBad ? texts.levels_order : HAVE_TARGETS.includes(what) ? texts.levels_targets : texts.levels_none;
    };
    panel.follows.push((card) => say(card, hint.classList.contains("errorlist")));
    const read = (key, otherwise) => (card) => (card.levels ? card.levels[key] : otherwise);
    panel.put(numberField(texts.watch_from, {}, set("watch")), read("watch", null), box);
    panel.put(numberField(texts.late_from, {}, set("late")), read("late", null), box);
    const node = element("fieldset", { class: "field levels" }, legend, box);
    panel.root.append(node);
    const ways = [
      ["false", texts.above],
      ["true", texts.below],
    ];
    panel.put(
      choiceField(texts.level_way, ways, (value) => set("below")(value === "true")),
      read("below", false),
      node,
    );
    node.append(hint);
  },

  figure(panel) {
    const { figures } = panel.settings;
    const choices = Object.entries(figures).map(([value, figure]) => [value, figure.name]);
    const change = (figure) => {
      const { window } = panel.work.card(panel.id);
      const { windows } = figures[figure];
      panel.change({ figure, window: windows.includes(window) ? window : windows[windows.length - 1] });
    };
    panel.put(choiceField(panel.texts.options.figure, choices, change), (each) => each.figure);
  },

  window(panel, card) {
    if (card.kind !== "figure") return;
    const { figures } = panel.settings;
    const field = choiceField(panel.texts.options.window, [], (window) => panel.change({ window }));
    panel.put(field, (each) => each.window);
    panel.follows.push((each) => {
      const { windows } = figures[each.figure];
      if (panel.offered !== windows.join()) field.offer(windows.map((window) => [window, panel.texts.windows[window]]));
      panel.offered = windows.join();
      field.show(each.window);
    });
    panel.offered = "";
  },

  text(panel, card) {
    const { limits } = panel.settings;
    const isLong = card.kind === "text";
    const more = { isLong, hint: isLong ? "" : panel.texts.notice_hint };
    const field = textField(panel.texts.options.text, isLong ? limits.text : limits.notice, (text) => panel.change({ text }, "text"), more);
    panel.put(field, (each) => each.text);
  },

  zone(panel) {
    const { texts, settings } = panel;
    panel.put(
      zoneField(texts.options.zone, texts.company_zone, settings.zones, (zone) => panel.change({ zone })),
      (each) => each.zone,
    );
  },

  image(panel) {
    panel.put(
      pictureField(panel.settings, panel.server, (image) => panel.change({ image })),
      (each) => each.image,
    );
  },

  fit(panel) {
    const choices = panel.settings.choices.fits.map((fit) => [fit, panel.texts.fits[fit]]);
    panel.put(
      radioField(panel.texts.options.fit, choices, (fit) => panel.change({ fit })),
      (each) => each.fit,
    );
  },
};
