/* A card says how it stands by shape, word and colour. */
import { say, setAttribute } from "./dom.js";

export function showLevel(node, level, page) {
  setAttribute(node, "data-level", level);
  say(node, "card-word", page.words.levels[level] || "");
}
