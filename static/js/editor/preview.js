// The board as a screen would show it, drawn at that screen's size and scaled into the room there is.

import "../views/stack.js"; // the preview of a phone
import { boxesOf } from "../views/boxes.js";
import { updateFrame, updateHead } from "../views/frame.js";
import { makeGrid } from "../views/grid.js";
import { readState } from "../views/board-state.js";
import { along } from "./direction.js";
import { isGrid } from "./values.js";

export const SHAPES = {
  tv: { width: 1920, height: 1080, isSmall: false },
  portrait: { width: 1080, height: 1920, isSmall: false },
  phone: { width: 390, height: 844, isSmall: true },
};

export class Preview {
  constructor(root, settings, socket, counted) {
    this.room = root.querySelector(".preview-room");
    this.screen = root.querySelector(".preview-screen");
    this.board = root.querySelector(".preview-board");
    this.cards = root.querySelector(".preview-cards");
    this.settings = settings;
    this.socket = socket;
    this.counted = counted;
    this.grid = makeGrid(this.cards, {
      texts: settings.texts,
      zone: settings.zone,
      images: settings.images,
      onNeed: (cards) => counted.need(cards),
    });
    this.shape = "tv";
  }

  get isEditable() {
    return this.shape === "tv";
  }

  /** Draw the content; answers {boxes, scale, gap} of the cards in pixels of the page, for what lies over them. */
  update(content) {
    const shape = SHAPES[this.shape];
    const zone = content.time_zone || this.settings.zone;
    const page = { now: this.socket.serverNow(), zone, texts: this.settings.texts, isSmall: shape.isSmall };
    const scale = Math.min(this.room.clientWidth / shape.width, this.highest() / shape.height);
    this.size(shape, scale);
    updateFrame(this.board, shape, !shape.isSmall);
    const state = readState(this.socket, this.settings, content.layout, page);
    const pictures = Object.fromEntries(this.settings.pictures.map((picture) => [String(picture.id), picture.path]));
    const data = { ...state, figures: this.counted.with(state.figures), board: { ...state.board, ...content, images: pictures } };
    updateHead(this.board, content, page);
    this.grid.update(content.layout, data, page);
    return this.places(content.layout, data, page, scale);
  }

  /** A screen that stands upright takes as much height as the window has, a wide one as much width as there is. */
  highest() {
    return this.shape === "tv" ? Infinity : Math.max(420, window.innerHeight - this.room.getBoundingClientRect().top - window.scrollY - 24);
  }

  size(shape, scale) {
    const put = (node, name, value) => node.style.getPropertyValue(name) === value || node.style.setProperty(name, value);
    put(this.board, "width", `${shape.width}px`);
    put(this.board, "height", `${shape.height}px`);
    put(this.board, "transform", `scale(${scale})`);
    put(this.screen, "width", `${Math.floor(shape.width * scale)}px`);
    put(this.screen, "height", `${Math.floor(shape.height * scale)}px`);
    this.screen.dataset.shape = this.shape;
  }

  places(layout, data, page, scale) {
    if (!isGrid(layout) || !this.isEditable) return { boxes: [], scale };
    const room = { width: this.cards.clientWidth, height: this.cards.clientHeight };
    const plan = boxesOf(layout, data, room, false);
    const { offsetLeft: left, offsetWidth: width } = this.cards;
    const inset = { x: along() === 1 ? left : this.board.clientWidth - left - width, y: this.cards.offsetTop };
    const boxes = plan.boxes.map((box) => ({
      card: box.card,
      x: (box.x + inset.x) * scale,
      y: (box.y + inset.y) * scale,
      width: box.width * scale,
      height: box.height * scale,
    }));
    const cell = {
      width: ((room.width + plan.gap) / this.settings.limits.columns) * scale,
      height: ((room.height + plan.gap) / layout.rows) * scale,
    };
    return { boxes, scale, cell, origin: { x: inset.x * scale, y: inset.y * scale }, gap: plan.gap * scale };
  }
}
