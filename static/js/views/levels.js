/* A card says how it stands by shape, word and colour. */
import { mark, say } from "./dom.js";

export function showLevel(node, level, page) {
  mark(node, "level", level);
  say(node, "card-word", page.words.levels[level] || "");
}
