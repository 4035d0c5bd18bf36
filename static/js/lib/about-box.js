/* The box that tells where a figure comes from, one for every page. What is said of the figures is fetched when it is asked for. */
import { setHidden } from "./dom.js";
import { span } from "./format.js";
import { getJson } from "./requests.js";

/** @typedef {{title: string, text: string, value?: string, trust?: string}} Entry */
/** @typedef {{name: string, kind: string, formula: string, window: string, unit: string, source: string, notes: string[]}} Words */
/** @typedef {{figures: Record<string, Words>, texts: Record<string, string>}} Told */

const FRESH_MS = 60000; // a verdict of calibration seldom changes
/** @type {{told: Told, at: number} | null} */
let known = null;

/* What is open stands at the box: a page may have two scripts that open it, each with a copy of this one. */
/** @typedef {HTMLElement & {opener?: HTMLElement, turn?: number}} Box */
const box = () => /** @type {Box} */ (document.getElementById("about"));
/** @param {string} name */
const within = (name) => /** @type {HTMLElement} */ (box().querySelector(name));

/** @returns {Promise<Told | null>} */
async function words() {
  if (known && Date.now() - known.at < FRESH_MS) return known.told;
  const answer = await getJson(box().dataset.address || "");
  if (answer.ok && answer.body) known = { told: answer.body, at: Date.now() };
  return known && known.told;
}

/** @param {Entry[]} entries */
function draw(entries) {
  const list = within("dl");
  list.replaceChildren();
  for (const { title, value, trust, text } of entries) {
    const term = list.appendChild(document.createElement("dt"));
    term.appendChild(document.createElement("b")).textContent = title + (value ? ` ${value}` : "");
    term.appendChild(document.createElement("span")).textContent = trust || "";
    list.appendChild(document.createElement("dd")).textContent = text;
  }
}

/**
 * Opens the box with what the page itself knows, and adds what the server says of these figures as soon as it is here.
 * @param {string} title
 * @param {Entry[]} own
 * @param {(told: Told) => Entry[]} more
 * @param {HTMLElement} from gets the focus back
 */
async function open(title, own, more, from) {
  const mine = (box().turn || 0) + 1;
  Object.assign(box(), { opener: from, turn: mine });
  within("h2").textContent = title;
  draw(own);
  setHidden(box(), false);
  within("h2").focus();
  const told = await words();
  if (mine !== box().turn || box().hidden) return;
  draw(told ? [...own, ...more(told)] : [...own, { title: box().dataset.failed || "", text: "" }]);
}

/**
 * Figures of a card: the page knows their values, formula, window and age.
 * @param {string} title
 * @param {Entry[]} own
 * @param {string[]} keys
 * @param {HTMLElement} from
 */
export function tellCard(title, own, keys, from) {
  const entries = (/** @type {Told} */ { figures, texts }) => {
    const all = keys.map((key) => figures[key]).filter(Boolean);
    const notes = new Set(all.flatMap((each) => each.notes));
    const facts = (/** @type {Words} */ each) => [{ title: all.length > 1 ? `${each.name}: ${texts.unit}` : texts.unit, text: each.unit }];
    const sources = new Set(all.map((each) => each.source));
    return [
      ...[...notes].map((note) => ({ title: note, text: "" })),
      ...all.flatMap(facts),
      { title: texts.source, text: [...sources].join("; ") },
    ];
  };
  return open(title, own, entries, from);
}

/**
 * Figures of a page, all of which the server tells; age in seconds, null where they are live.
 * @param {string} title "" for the figure's own name
 * @param {string[]} keys
 * @param {number | null} age
 * @param {HTMLElement} from
 */
export function tellFigures(title, keys, age, from) {
  const entries = (/** @type {Told} */ { figures, texts }) => {
    if (!title) within("h2").textContent = keys.map((key) => figures[key].name).join(", ");
    const old = age === null ? texts.live : texts.loaded.replace("{age}", span(age, texts));
    return [...keys.flatMap((key) => entriesOf(figures[key], texts, keys.length > 1)), { title: texts.age, text: old }];
  };
  return open(title, [], entries, from);
}

/**
 * @param {Words} each
 * @param {Record<string, string>} texts
 * @param {boolean} isOne of several
 * @returns {Entry[]}
 */
function entriesOf(each, texts, isOne) {
  const facts = [`${texts.window}: ${each.window}.`, `${texts.unit}: ${each.unit}.`, `${texts.source}: ${each.source}.`];
  const notes = each.notes.map((note) => ({ title: note, text: "" }));
  if (isOne) return [{ title: each.name, trust: each.kind, text: [...each.notes, each.formula, ...facts].join(" ") }];
  return [
    { title: each.kind, text: each.formula },
    ...notes,
    { title: texts.window, text: each.window },
    { title: texts.unit, text: each.unit },
    { title: texts.source, text: each.source },
  ];
}

export function closeAbout() {
  const about = box();
  if (!about || about.hidden) return;
  setHidden(about, true);
  if (about.opener && document.contains(about.opener)) about.opener.focus();
}

document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).id === "about-close") closeAbout();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeAbout();
});
