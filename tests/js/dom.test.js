/* The order of a list's nodes after it changed, and which of them stay. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDrawn, keepChildren, setChildren, setData, setText } from "../../static/js/lib/dom.js";

/* As much of an element as lists need; counts how often a node is put somewhere. */
class Element {
  constructor(name = "") {
    this.name = name;
    this.children = [];
    this.attributes = {};
    this.moves = 0;
  }
  get firstElementChild() {
    return this.children[0] || null;
  }
  get nextElementSibling() {
    const beside = this.parent.children;
    return beside[beside.indexOf(this) + 1] || null;
  }
  getAttribute(name) {
    return this.attributes[name];
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  removeChild(node) {
    this.children.splice(this.children.indexOf(node), 1);
  }
  insertBefore(node, next) {
    if (this.children.includes(node)) this.removeChild(node);
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, node);
    node.parent = this;
    this.moves += 1;
  }
}

const orderOf = (parent) => parent.children.map((node) => node.name).join("");

function filled(names) {
  const parent = new Element();
  const nodes = new Map(Array.from("abcdef", (name) => [name, new Element(name)]));
  setChildren(
    parent,
    Array.from(names, (name) => nodes.get(name)),
  );
  parent.moves = 0;
  return { parent, nodes };
}

test("any order becomes any other", () => {
  const orders = ["abcdef", "fedcba", "badcfe", "bcdefa", "fabcde", "ace", "", "dbf", "cdafeb"];
  for (const one of orders) {
    for (const other of orders) {
      const { parent, nodes } = filled(one);

      setChildren(
        parent,
        Array.from(other, (name) => nodes.get(name)),
      );

      assert.equal(orderOf(parent), other, `${one} to ${other}`);
    }
  }
});

test("a node that goes up or down the list moves alone", () => {
  for (const other of ["bcdefa", "acdebf", "fabcde"]) {
    const { parent, nodes } = filled("abcdef");

    setChildren(
      parent,
      Array.from(other, (name) => nodes.get(name)),
    );

    assert.deepEqual([orderOf(parent), parent.moves], [other, 1]);
  }
});

test("where nodes are alike, those that are gone serve who comes, in their places", () => {
  const parent = new Element();
  const made = [];
  const make = (key) => made[made.push(new Element(key)) - 1];
  const before = keepChildren(parent, ["1", "2", "3"], make, true);
  parent.moves = 0;

  const after = keepChildren(parent, ["4", "2", "5", "6"], make, true);

  assert.deepEqual(after.slice(0, 3), before);
  assert.deepEqual(
    after.map((node) => node.getAttribute("data-key")),
    ["4", "2", "5", "6"],
  );
  assert.deepEqual([made.length, parent.moves], [4, 1]);
});

test("elsewhere who comes gets a node of their own", () => {
  const parent = new Element();
  const before = keepChildren(parent, ["1"], (key) => new Element(key));

  const after = keepChildren(parent, ["2"], (key) => new Element(key));

  assert.notEqual(after[0], before[0]);
  assert.equal(orderOf(parent), "2");
});

/* As much of an element as a text needs: its children, of which texts have nodeType 3. */
class Paragraph {
  constructor(...nodes) {
    this.nodes = nodes;
    this.texts = 0;
  }
  get firstChild() {
    const [first, second] = this.nodes;
    if (first) first.nextSibling = second || null;
    return first || null;
  }
  get textContent() {
    return this.nodes.map((node) => node.data).join("");
  }
  set textContent(text) {
    this.nodes = text ? [{ nodeType: 3, data: text }] : [];
    this.texts += 1;
  }
}

test("a text is written into the one that stands there", () => {
  const node = new Paragraph({ nodeType: 3, data: "one" });

  setText(node, "two");

  assert.equal(node.textContent, "two");
  assert.equal(node.texts, 0);
});

test("a text takes the place of whatever else was put there since", () => {
  const node = new Paragraph({ nodeType: 3, data: "one" });
  setText(node, "two");
  for (const nodes of [
    [{ nodeType: 1, data: "bold" }],
    [
      { nodeType: 3, data: "a" },
      { nodeType: 1, data: "b" },
    ],
    [],
  ]) {
    node.nodes = nodes;

    setText(node, `after ${nodes.length}`);

    assert.equal(node.textContent, `after ${nodes.length}`);
    node.nodes = nodes;
    setText(node, "");
    assert.equal(node.textContent, "");
  }
});

test("a mark is written where it changed, without asking the page again", () => {
  const node = new Element();
  let asked = 0;
  node.getAttribute = (name) => {
    asked += 1;
    return node.attributes[name];
  };
  node.attributes["data-level"] = "late";

  const found = ["late", "late", "watch", "watch", true, "true"].map((level) => {
    setData(node, "level", level);
    return node.attributes["data-level"];
  });

  assert.deepEqual(found, ["late", "late", "watch", "watch", "true", "true"]);
  assert.equal(asked, 3);
});

test("what was drawn from the same stays for a minute, unless it counts seconds", () => {
  const node = {};
  const person = {};

  const found = [
    isDrawn(node, [person, "a"], false, 0),
    isDrawn(node, [person, "a"], false, 59_999),
    isDrawn(node, [person, "a"], true, 59_999),
    isDrawn(node, [person, "b"], false, 59_999),
    isDrawn(node, [person, "b"], false, 60_000),
  ];

  assert.deepEqual(found, [false, true, false, false, false]);
});
