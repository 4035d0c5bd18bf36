// A report's heat map and charts: the figures under the pointer or the keyboard; and the button that prints.
const map = /** @type {HTMLTableElement} */ (document.getElementById("heat"));
const tip = document.getElementById("heat-tip");
const button = document.getElementById("print");
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The cell to which a key leads; on a phone the map is turned, and with it the keys. */
function next(cells, from, key) {
  const row = cells.findIndex((each) => each.includes(from));
  const column = cells[row].indexOf(from);
  if (!(key in STEPS)) return cells[row].at(key === "Home" ? 0 : -1);
  const { writingMode, direction } = getComputedStyle(map);
  const isTurned = writingMode !== "horizontal-tb";
  const [x, y] = STEPS[key];
  const right = (isTurned ? writingMode === "vertical-rl" : direction === "rtl") ? -x : x;
  return cells[row + (isTurned ? right : y)]?.[column + (isTurned ? y : right)] ?? from;
}

function follow() {
  const cells = [...map.tBodies[0].rows].map((row) => [...row.querySelectorAll("td")]);
  cells[0][0].tabIndex = 0;
  const tell = (target) => {
    const cell = target.closest("td[aria-label]");
    if (cell) tip.textContent = cell.getAttribute("aria-label");
    return cell;
  };
  map.addEventListener("pointerover", (event) => tell(event.target));
  map.addEventListener("focusin", (event) => {
    for (const each of cells.flat()) each.tabIndex = -1;
    tell(event.target).tabIndex = 0;
  });
  map.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
    event.preventDefault();
    next(cells, event.target, event.key).focus();
  });
}

/** A chart tells the bar that is nearest to the pointer, or that the arrow keys lead to. */
function followBars(chart) {
  const bars = [...chart.querySelectorAll(".trend-bar")];
  const value = chart.closest(".trend").querySelector(".trend-value");
  const texts = bars.map((bar) => bar.querySelector("title").textContent);
  for (const bar of bars) bar.replaceChildren(); // the browser would tell it once more, and later
  let at = -1;
  const choose = (index) => {
    if (index === at) return;
    bars[at]?.classList.remove("trend-chosen");
    at = index;
    bars[at]?.classList.add("trend-chosen");
    value.textContent = texts[at] ?? "";
    chart.setAttribute("aria-valuenow", at + 1);
    chart.setAttribute("aria-valuetext", texts[at] ?? "");
  };
  const nearest = (x) => {
    const away = bars.map((bar) => bar.getBoundingClientRect()).map((box) => Math.max(box.left - x, x - box.right, 0));
    return away.indexOf(Math.min(...away));
  };
  chart.setAttribute("role", "slider");
  chart.setAttribute("aria-valuemin", 1);
  chart.setAttribute("aria-valuemax", bars.length);
  chart.setAttribute("aria-orientation", "horizontal");
  chart.tabIndex = 0;
  chart.setAttribute("aria-valuenow", 1);
  chart.setAttribute("aria-valuetext", texts[0]);
  chart.addEventListener("pointermove", (event) => choose(nearest(event.clientX)));
  chart.addEventListener("pointerleave", () => chart.matches(":focus-visible") || choose(-1));
  chart.addEventListener("focus", () => at < 0 && choose(0));
  chart.addEventListener("blur", () => choose(-1));
  chart.addEventListener("keydown", (event) => {
    const [x, y] = STEPS[event.key] ?? [0, 0];
    const end = { Home: 0, End: bars.length - 1 }[event.key];
    if (end === undefined && !x && !y) return;
    event.preventDefault();
    choose(end ?? Math.min(Math.max(at + x - y, 0), bars.length - 1));
  });
}

if (map) follow();
for (const chart of document.querySelectorAll(".trend svg")) if (chart.querySelector(".trend-bar")) followBars(chart);
button.hidden = false;
button.addEventListener("click", () => print());
