// The board as it is being made: its content, what is selected, and every step that can be done and undone. Knows no DOM.

import { fill } from "../lib/format.js";
import { counted } from "../lib/plurals.js";
import { History } from "./history.js";
import { bottomOf, firstPlace, inReadingOrder, isInside, put, step } from "./placement.js";
import { isGrid, nameOf, newId, same } from "./values.js";

export class BoardEdit {
  /** settings: the page's; on: {changed(work), say(text)}. */
  constructor(content, settings, on) {
    this.content = content;
    this.kinds = settings.kinds;
    this.limits = settings.limits;
    this.settings = settings;
    this.texts = settings.editor;
    this.on = on;
    this.history = new History();
    this.selected = null;
    this.outside = 0; // counts changes that did not come from the settings beside the board
    this.leastOf = (card) => ({ w: this.kinds[card.kind].least_width, h: this.kinds[card.kind].least_height });
  }

  get layout() {
    return this.content.layout;
  }

  get cards() {
    return isGrid(this.layout) ? inReadingOrder(this.layout.cards) : [];
  }

  card(id) {
    return this.cards.find((card) => card.id === id) || null;
  }

  say(word, card, values = {}) {
    const at = card ? { card: nameOf(card, this.kinds), x: card.x + 1, y: card.y + 1, w: card.w, h: card.h } : {};
    this.on.say(fill(this.texts[word] || word, { ...at, ...values }));
  }

  select(id) {
    this.selected = id;
    this.outside += 1;
    this.on.changed(this);
  }

  /** A change that can be undone. `key` joins quick changes of the same thing; `isInside`: it came from its field. */
  become(content, { key = "", isOwn = false } = {}) {
    if (same(content, this.content)) return;
    this.history.remember(this.content, key);
    this.content = content;
    if (!isOwn) this.outside += 1;
    this.on.changed(this);
  }

  withLayout(layout) {
    return { ...this.content, layout: { ...this.layout, ...layout } };
  }

  /** Where the cards would stand, or null where there is no room. */
  tried(card, shrinks = false) {
    return put(card, this.layout.cards, this.layout.rows, this.leastOf, { shrinks });
  }

  /** A new card of that kind, with every option at its beginning; null where the kind needs what is not there. */
  fresh(kind) {
    const { queues, figures } = this.settings;
    const options = this.kinds[kind].options;
    const beginnings = {
      figure: Object.keys(figures)[0],
      window: kind === "trend" ? "60" : "now",
      zone: "",
      text: "",
      image: null,
      fit: "contain",
    };
    if (kind === "queue" && !queues.length) return null;
    const own = Object.fromEntries(options.filter((name) => name in beginnings).map((name) => [name, beginnings[name]]));
    const covered = { queues: kind === "queue" ? [queues[0].number] : null, people: null, levels: null };
    const size = { w: this.kinds[kind].usual_width, h: this.kinds[kind].usual_height };
    return { id: newId(), kind, x: 0, y: 0, ...size, title: "", size: "normal", ...covered, ...own };
  }

  /** Add a card at `at`, or at the first free place; a full board gets more rows. */
  add(kind, at = null) {
    if (this.layout.cards.length >= this.limits.cards) return this.say("too_many", null, { n: this.limits.cards });
    const card = this.fresh(kind);
    if (!card) return this.say("no_queues");
    const found = at ? this.tried({ ...card, ...at }) : this.appended(card);
    if (!found) return this.say(at ? "no_room" : "no_room_new");
    this.selected = card.id;
    this.become(this.withLayout({ rows: found.rows || this.layout.rows, cards: found.cards }));
    return this.say("added", this.card(card.id));
  }

  appended(card) {
    const { cards, rows } = this.layout;
    const place = firstPlace(card, cards, rows, this.leastOf(card));
    if (place) return { cards: [...cards, place] };
    const below = { ...card, y: bottomOf(cards) };
    const height = Math.min(card.h, this.limits.most_rows - below.y);
    if (height < this.leastOf(card).h) return null;
    return { cards: [...cards, { ...below, h: height }], rows: below.y + height };
  }

  move(id, dx, dy) {
    const card = this.card(id);
    const found = step(card, dx, dy, this.layout.cards, this.layout.rows, this.leastOf);
    if (found.reason) return this.say(found.reason, card);
    return this.placed(found, card, "moved", `move ${id}`);
  }

  resize(id, dw, dh) {
    const card = this.card(id);
    const wanted = { ...card, w: card.w + dw, h: card.h + dh };
    const least = this.leastOf(card);
    if (wanted.w < least.w || wanted.h < least.h) return this.say("smallest", card);
    if (!isInside(wanted, this.layout.rows)) return this.say("at_edge", card);
    return this.place(wanted, true, `size ${id}`);
  }

  /** Put a card at this place and size; tells whether there was room. */
  place(wanted, shrinks = false, key = "") {
    const card = this.card(wanted.id);
    if (!card) return false;
    const found = isInside(wanted, this.layout.rows) ? this.tried(wanted, shrinks) : null;
    if (!found) {
      this.say("no_room", card);
      return false;
    }
    const isMoved = wanted.x !== card.x || wanted.y !== card.y;
    this.placed(found, card, isMoved ? "moved" : "resized", key);
    return true;
  }

  placed(found, card, word, key) {
    const before = this.layout.cards;
    const pushed = found.moved.filter(
      (id) =>
        !same(
          before.find((each) => each.id === id),
          found.cards.find((each) => each.id === id),
        ),
    );
    this.become(this.withLayout({ cards: found.cards }), { key });
    this.say(word, this.card(card.id));
    if (pushed.length === 1) this.sayMore("pushed_one", { card: nameOf(this.card(pushed[0]), this.kinds) });
    else if (pushed.length) this.on.say(counted(this.texts.pushed, pushed.length), true);
  }

  sayMore(word, values) {
    this.on.say(fill(this.texts[word], values), true);
  }

  remove(id) {
    const card = this.card(id);
    const place = this.cards.findIndex((each) => each.id === id);
    const rest = this.cards.filter((each) => each.id !== id);
    const next = rest[Math.min(place, rest.length - 1)];
    this.selected = next ? next.id : null;
    this.become(this.withLayout({ cards: this.layout.cards.filter((each) => each.id !== id) }));
    this.say("removed", card);
  }

  /** Change settings of a card, from their fields. */
  change(id, settings, field = "") {
    if (!this.card(id)) return;
    const cards = this.layout.cards.map((card) => (card.id === id ? { ...card, ...settings } : card));
    this.become(this.withLayout({ cards }), { key: `card ${id} ${field}`, isOwn: true });
    this.say("changed", this.card(id));
  }

  changeBoard(settings, field = "") {
    this.become({ ...this.content, ...settings }, { key: `board ${field}`, isOwn: true });
    this.say("settings_changed");
  }

  changeRows(rows) {
    const whole = Math.max(this.limits.least_rows, Math.min(this.limits.most_rows, rows));
    if (whole < bottomOf(this.layout.cards)) return this.say("rows_taken");
    this.become(this.withLayout({ rows: whole }));
    return this.say("settings_changed");
  }

  /** Go over to another form of layout: by hand, or automatic. */
  arrange(layout) {
    this.selected = null;
    this.become({ ...this.content, layout });
    this.say(isGrid(layout) ? "arranged" : "settings_changed");
  }

  undo() {
    this.back(this.history.undo(this.content), "undone", "nothing_to_undo");
  }

  redo() {
    this.back(this.history.redo(this.content), "redone", "nothing_to_redo");
  }

  back(content, word, otherwise) {
    if (!content) return this.say(otherwise);
    this.content = content;
    this.settleSelection();
    this.on.changed(this);
    return this.say(word);
  }

  /** The content after others' changes went in; `change` brings them into what undo remembers. */
  adopt(content, change) {
    this.history.rebase(change);
    this.content = content;
    this.settleSelection();
    this.on.changed(this);
  }

  settleSelection() {
    this.outside += 1;
    if (!this.card(this.selected)) this.selected = null;
  }
}
