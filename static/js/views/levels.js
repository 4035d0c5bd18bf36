/* A card says how it stands by shape, word and colour. */
import { part, setAttribute, setText } from "./dom.js";

export function showLevel(node, level, page) {
  setAttribute(node, "data-level", level);
  setText(part(node, "card-word"), page.words.levels[level] || "");
}
