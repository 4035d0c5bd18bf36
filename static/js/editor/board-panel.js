// The settings of the whole board: name, colours, notice, rows, and what an automatic board shows.

import { fill } from "../lib/format.js";
import { choiceField, element, numberField, someField, textField, zoneField } from "./fields.js";
import { isGrid } from "./values.js";

export class BoardPanel {
  constructor(root, work, settings) {
    this.root = root;
    this.work = work;
    this.settings = settings;
    this.texts = settings.editor;
    this.madeFor = "";
  }

  update() {
    const form = isGrid(this.work.layout) ? "grid" : "automatic";
    if (form !== this.madeFor) this.make(form);
    for (const { field, read } of this.fields) {
      if (!field.node.contains(document.activeElement) || this.shown !== this.work.outside) field.show(read(this.work.content));
    }
    this.shown = this.work.outside;
  }

  put(field, read) {
    this.fields.push({ field, read });
    this.root.append(field.node);
  }

  make(form) {
    const { texts, settings, work } = this;
    const { options } = texts;
    this.madeFor = form;
    this.fields = [];
    this.root.replaceChildren(element("h2", { text: texts.board_settings }));
    const name = textField(options.name, settings.limits.name, (value) => value.trim() && work.changeBoard({ name: value }, "name"));
    this.put(name, (content) => content.name);
    const themes = Object.entries(settings.choices.themes);
    this.put(
      choiceField(options.theme, themes, (theme) => work.changeBoard({ theme })),
      (content) => content.theme,
    );
    this.put(
      textField(options.notice, settings.limits.notice, (notice) => work.changeBoard({ notice }, "notice")),
      (content) => content.notice,
    );
    const company = fill(texts.company_zone_is, { zone: settings.zone });
    this.put(
      zoneField(options.time_zone, company, settings.zones, (zone) => work.changeBoard({ time_zone: zone })),
      (content) => content.time_zone,
    );
    this.put(
      choiceField(options.language, settings.languages, (language) => work.changeBoard({ language }), settings.language_hint),
      (content) => content.language,
    );
    if (form === "grid") this.gridFields();
    else this.automaticFields();
  }

  gridFields() {
    const { texts, settings, work } = this;
    const rows = numberField(
      texts.options.rows,
      { min: settings.limits.least_rows, max: settings.limits.most_rows, step: 1, isNeeded: true },
      (value) => work.changeRows(value),
    );
    this.put(rows, (content) => content.layout.rows);
    this.root.append(element("p", { class: "hint soft", text: texts.rows_hint }));
    const back = () => work.arrange({ sections: Object.keys(settings.sections), queues: null });
    this.root.append(element("button", { type: "button", class: "button-quiet", text: texts.make_automatic, onclick: back }));
  }

  automaticFields() {
    const { texts, settings, work } = this;
    const boxes = Object.entries(settings.sections).map(([value, name]) => {
      const box = element("input", { type: "checkbox", value, onchange: () => this.sectionsChanged(boxes) });
      return { box, label: element("label", {}, box, name) };
    });
    const node = element(
      "fieldset",
      { class: "field" },
      element("legend", { text: texts.options.sections }),
      element("div", { class: "radios" }, ...boxes.map((each) => each.label)),
    );
    const show = (sections) => boxes.forEach(({ box }) => (box.checked = sections.includes(box.value)));
    this.put({ node, show }, (content) => content.layout.sections);
    const own = { all: texts.all_queues, some: texts.these_queues, up: texts.up, down: texts.down, empty: texts.nothing_found };
    const queues = someField(texts.options.queues, settings.queues, own, (chosen) =>
      work.changeBoard({ layout: { ...work.layout, queues: chosen } }),
    );
    this.put(queues, (content) => content.layout.queues);
    const go = () => work.arrange(settings.floor);
    this.root.append(element("p", { class: "hint soft", text: texts.automatic_hint }));
    this.root.append(element("button", { type: "button", class: "button", text: texts.arrange, onclick: go }));
  }

  sectionsChanged(boxes) {
    const sections = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
    if (sections.length) this.work.changeBoard({ layout: { ...this.work.layout, sections } });
    else this.work.select(null); // the last section stays: its box is ticked again
  }
}
