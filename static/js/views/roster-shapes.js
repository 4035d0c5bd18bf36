/* How much room the people of a board need, in letters: their names and what they do, measured. */
import { fullestGrid, GOOD, PANEL } from "./fit.js";
import { shortName } from "../lib/format.js";
import { remembered, widest, widthOf } from "./ruler.js";

const LONGEST_NAME = 8.5; // letters that everybody gets; a longer name is shortened
const MARK = 1.4; // of a count: its mark and the space behind it
const ENOUGH = 40; // so many names at a time serve as well as all
const HEAD = 1.75; // height of a line of counts

/* Tallies in the order in which they stand. Who is dialling is rare and comes last: for it alone no line is kept, and where the only one
is full, words are shortened (people.css). */
function tallyWidths(count, page) {
  const digits = count > 99 ? "000 " : "00 ";
  return ["idle", "ringing", "talking", "unknown"].map((state) => MARK + widthOf(digits + page.texts.tallies[state].other));
}

const talliesFor = remembered(tallyWidths);

function headOf(width, count, unit, page) {
  const room = width / (GOOD * unit) - 2 * PANEL.padding;
  const all = talliesFor(count, page);
  const title = widthOf("People", true) * 1.12 + 1;
  if (all.reduce((sum, each) => sum + each, title) <= room) return { isTitled: true, lines: 1 };
  let left = room;
  const lines = all.reduce((count, each) => {
    left = each <= left ? left - each : room - each;
    return left === room - each && each !== all[0] ? count + 1 : count;
  }, 1);
  return { isTitled: false, lines };
}

const cellsFor = remembered((people, page) => {
  const names = people.map((person) => shortName(person.name || person.extension));
  const name = Math.min(LONGEST_NAME, Math.max(3, widest(names, true)));
  const states = page.texts.presence;
  const doing = Math.max(widthOf(states.ringing + " 00:00"), widthOf(states.unknown), widthOf(states.idle + " 00 m"));
  return [
    { variant: "tall", width: Math.max(name, doing) + 1.3, height: 2.7, worth: 1, most: 30 },
    { variant: "flat", width: name + widthOf("00:00") + 2.2, height: 1.6, worth: 0.96, most: 30 },
    { variant: "name", width: name + 1.3, height: 1.6, worth: 0.9, most: 30 },
  ];
});

/* The fullest cells whose text can be read from afar. Where not everybody has a place (`isTurning`), as many as have one. */
export function peopleOf(area, people, unit, page) {
  const padding = PANEL.padding * GOOD * unit;
  const head = headOf(area.width, people.length, unit, page);
  const inner = { width: Math.max(1, area.width - 2 * padding), height: area.height - 2 * padding - HEAD * GOOD * unit * head.lines };
  const cells = cellsFor(people, page);
  const found = fullestGrid(
    inner,
    people.length,
    cells.map((each) => [each]),
    () => 6 * unit,
    unit,
  );
  return Object.assign(found.font >= GOOD * unit ? found : turning(inner, cells[2], people.length, 6 * unit, unit), { head });
}

function turning(inner, cell, count, gap, unit) {
  const font = GOOD * unit;
  const columns = Math.max(1, Math.floor((inner.width + gap) / (cell.width * font + gap)));
  const rows = Math.max(1, Math.floor((inner.height + gap) / (cell.height * font + gap)));
  const share = Math.min(1, (columns * rows) / Math.min(count, ENOUGH));
  const fits = Math.min(1, Math.max(0.1, inner.height / (cell.height * font)), inner.width / (cell.width * font));
  return {
    variant: cell.variant,
    worth: cell.worth * share * fits,
    columns,
    rows,
    font: font * fits,
    score: font * share,
    gap,
    isTurning: true,
  };
}
