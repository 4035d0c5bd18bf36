// The heat map of a report: all figures of the hour under the pointer or the keyboard; and the button that prints.
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

if (map) follow();
button.hidden = false;
button.addEventListener("click", () => print());
