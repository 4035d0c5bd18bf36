// The page of the screens: how every TV is doing, asked for every few seconds; forms are left alone.
import { getJson } from "../lib/requests.js";
import { keepChildren, part, setAttribute, setData, setHidden, setText } from "../lib/dom.js";

const settings = JSON.parse(document.getElementById("page").textContent);
const ASK_MS = 4000;
const list = document.getElementById("screens");
const stale = document.getElementById("stale");
let misses = 0;

async function ask() {
  const { ok, body } = await getJson("/screens/state/");
  if (ok) show(body.screens);
  misses = ok ? 0 : misses + 1;
  setHidden(stale, misses < 2);
  setText(stale, misses < 2 ? "" : settings.texts.stale);
}

function show(screens) {
  for (const screen of screens) {
    const row = list.querySelector(`[data-screen="${screen.id}"]`);
    if (row) showScreen(row, screen);
  }
}

function showScreen(row, screen) {
  const state = part(row, "screen-state");
  setAttribute(state, "class", `screen-state state state-${screen.state}`);
  setText(state, screen.word);
  setText(part(row, "screen-name"), screen.name);
  const facts = keepChildren(
    part(row, "screen-facts"),
    screen.facts.map((fact) => fact.key),
    makeFact,
  );
  facts.forEach((node, index) => {
    const fact = screen.facts[index];
    setData(node, "state", fact.state);
    setAttribute(node, "title", fact.title);
    setText(node.firstElementChild, fact.label);
    setText(node.lastElementChild, fact.text);
  });
}

function makeFact() {
  const node = document.createElement("div");
  node.className = "screen-fact";
  node.append(document.createElement("dt"), document.createElement("dd"));
  return node;
}

if (list) setInterval(() => document.hidden || ask(), ASK_MS);
