/* A card says how it stands by shape, word and colour. */
import { setData, setPartText } from "../lib/dom.js";

export function showLevel(node, level, page) {
  setData(node, "level", level);
  setPartText(node, "card-word", page.texts.levels[level] || "");
}
