/* Which figures an element shows: its own mark (data-figure), that of the head of its column, or that of what it stands in. */

/**
 * The keys of the figures at this element, [] for none.
 * @param {Element} node
 * @returns {string[]}
 */
export function figuresAt(node) {
  const marked = node.closest("[data-figure]");
  const cell = /** @type {HTMLTableCellElement | null} */ (node.closest("tbody td, tbody th"));
  const head = cell && !(marked && cell.contains(marked)) ? headOf(cell) : null;
  const found = head && head.hasAttribute("data-figure") ? head : marked;
  return found ? (found.getAttribute("data-figure") || "").split(" ").filter(Boolean) : [];
}

/**
 * @param {HTMLTableCellElement} cell
 * @returns {Element | null} the cell above it in the last row of the head
 */
function headOf(cell) {
  const table = cell.closest("table");
  const row = table && table.tHead && table.tHead.rows[table.tHead.rows.length - 1];
  if (!row) return null;
  let column = 0;
  for (const each of Array.from(/** @type {HTMLTableRowElement} */ (cell.parentElement).cells)) {
    if (each === cell) break;
    column += each.colSpan;
  }
  for (const each of Array.from(row.cells)) {
    if (column < each.colSpan) return each;
    column -= each.colSpan;
  }
  return null;
}
