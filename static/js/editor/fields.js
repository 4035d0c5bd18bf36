// Controls of the settings beside the board. Each is {node, show(value)}; a change goes to the function it was given.

let count = 0;

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

function labelled(label, control, hint = "") {
  count += 1;
  control.id = `field-${count}`;
  const node = element("div", { class: "field" }, element("label", { for: control.id, text: label }), control);
  if (hint) {
    node.append(element("p", { class: "hint", id: `hint-${count}`, text: hint }));
    control.setAttribute("aria-describedby", `hint-${count}`);
  }
  return node;
}

export function textField(label, most, change, { hint = "", isLong = false } = {}) {
  const control = element(isLong ? "textarea" : "input", { maxlength: most, ...(isLong ? { rows: 4 } : { type: "text" }) });
  control.addEventListener("input", () => change(control.value));
  const show = (value) => {
    if (control.value !== value) control.value = value;
  };
  return { node: labelled(label, control, hint), show, control };
}

/** A whole or broken number, null where it is empty; tells only what is a number within its bounds. */
export function numberField(label, { min = 0, max = 1000000, step = /** @type {string | number} */ ("any"), isNeeded = false }, change) {
  const control = element("input", { type: "number", min, max, step, inputmode: "numeric", required: isNeeded });
  control.addEventListener("input", () => {
    const value = control.value === "" ? null : Number(control.value);
    if (control.validity.valid && (value !== null || !isNeeded)) change(value);
  });
  const show = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    if (control.value !== text && document.activeElement !== control) control.value = text;
  };
  return { node: labelled(label, control), show, control };
}

/** choices: [[value, text]]; it may be changed later by `offer`. */
export function choiceField(label, choices, change, hint = "") {
  const control = element("select");
  const offer = (list) => {
    const held = control.value;
    control.replaceChildren(...list.map(([value, text]) => element("option", { value, text })));
    control.value = held;
  };
  offer(choices);
  control.addEventListener("change", () => change(control.value));
  return { node: labelled(label, control, hint), show: (value) => (control.value = String(value)), offer, control };
}

/** A time zone, or what "" means; one that is set already stays on offer, by whatever name. */
export function zoneField(label, none, zones, change) {
  const choices = [["", none], ...zones.map((zone) => [zone, zone.replace(/_/g, " ")])];
  const field = choiceField(label, choices, change);
  const show = (zone) => {
    if (zone && !zones.includes(zone)) field.offer([...choices, [zone, zone.replace(/_/g, " ")]]);
    field.show(zone);
  };
  return { ...field, show };
}

/** A few choices, all in sight. */
export function radioField(label, choices, change) {
  count += 1;
  const name = `radio-${count}`;
  const inputs = choices.map(([value]) => element("input", { type: "radio", name, value, onchange: () => change(value) }));
  const labels = choices.map(([, text], index) => element("label", {}, inputs[index], text));
  const node = element("fieldset", { class: "field" }, element("legend", { text: label }), element("div", { class: "radios" }, ...labels));
  return { node, show: (value) => inputs.forEach((input) => (input.checked = input.value === String(value))) };
}

/**
 * All, or only some in their own order. things: [{number, name, group}]; texts: {all, some, up, down, empty}. The value is null
 * for all, else their numbers.
 */
export function someField(legend, things, texts, change, { isOrdered = true } = {}) {
  let value = null;
  const groups = [...new Set(things.map((each) => each.group).filter(Boolean))].sort();
  const list = element("ul", { class: "some" });
  const tell = (next) => {
    show(next);
    change(next);
  };
  const radios = radioField(
    legend,
    [
      ["all", texts.all],
      ["some", texts.some],
    ],
    (which) => tell(which === "all" ? null : things.map((each) => each.number)),
  );
  const node = element("div", {}, radios.node, list);

  function show(next) {
    value = next;
    radios.show(value === null ? "all" : "some");
    list.hidden = value === null;
    if (value !== null) draw();
  }

  function draw() {
    const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("data-what") : null;
    const byNumber = new Map(things.map((each) => [each.number, each]));
    const gone = value.filter((number) => !byNumber.has(number)).map((number) => ({ number, name: number }));
    const chosen = isOrdered ? value.map((number) => byNumber.get(number) || { number, name: number }) : [];
    const rest = [...things, ...(isOrdered ? [] : gone)].filter((each) => !chosen.includes(each));
    list.replaceChildren(...groups.map(groupRow), ...[...chosen, ...rest].map((each, index) => row(each, index)));
    if (!things.length) list.append(element("li", { class: "soft", text: texts.empty }));
    const back =
      focused &&
      Array.from(list.querySelectorAll("[data-what]")).find((each) => each.getAttribute("data-what") === focused && !each.disabled);
    if (back) back.focus();
  }

  /** All of a group at once; dashed where only some of it are chosen. */
  function groupRow(name) {
    const members = things.filter((each) => each.group === name).map((each) => each.number);
    const others = value.filter((number) => !members.includes(number));
    const isOn = others.length === value.length - members.length;
    const toggle = () => tell(isOn ? others : [...value, ...members.filter((number) => !value.includes(number))]);
    const box = element("input", { type: "checkbox", checked: isOn, "data-what": `group ${name}`, onchange: toggle });
    box.indeterminate = !isOn && others.length < value.length;
    return element("li", { class: "some-group" }, element("label", {}, box, element("b", { text: name })));
  }

  function row(each, index) {
    const place = value.indexOf(each.number);
    const isOn = place !== -1;
    const toggle = () => tell(isOn ? value.filter((number) => number !== each.number) : [...value, each.number]);
    const box = element("input", { type: "checkbox", checked: isOn, "data-what": `on ${each.number}`, onchange: toggle });
    const item = element("li", {}, element("label", {}, box, element("span", { text: each.name })));
    if (isOrdered && isOn) item.append(mover(each, index, -1, "up", "↑"), mover(each, index, 1, "down", "↓"));
    return item;
  }

  function mover(each, index, by, name, sign) {
    const isLast = index + by < 0 || index + by >= value.length;
    const go = () => {
      const next = value.filter((number) => number !== each.number);
      next.splice(index + by, 0, each.number);
      tell(next);
    };
    const label = texts[name].replace("{name}", each.name);
    return element("button", {
      type: "button",
      class: "some-move",
      "aria-label": label,
      text: sign,
      disabled: isLast,
      "data-what": `${name} ${each.number}`,
      onclick: go,
    });
  }

  return { node, show };
}
