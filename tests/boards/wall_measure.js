/* Answers what is wrong on a wall, in words. A text may be cut with "…" only where MAY_BE_CUT says so; one that has no room at all
goes to a line that is not seen. least: px of the smallest text that can be read. */
(least) => {
  const MAY_BE_CUT = ".board-notice, .foot-screen, .call-sides *, .person-with, .person-doing *, .alert-name, .part-note";
  const wrong = [];
  const isList = innerWidth < 700; // a phone scrolls, down only
  const isHeard = (node) => node.closest(".only-heard") || getComputedStyle(node).clip === "rect(0px, 0px, 0px, 0px)";
  const extent = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(node).fontSize);
    const slack = Math.max(0, (rect.height - size) / 2); // of the letters' own box above and below them
    const isOneLine = rect.height < 2 * size;
    const [top, bottom] = isOneLine ? [rect.top + slack, rect.bottom - slack] : [rect.top + 0.1 * size, rect.bottom - 0.1 * size];
    return { left: rect.left, right: rect.right, top, bottom, size, width: rect.width };
  };
  const clip = (node) => {
    const box = { left: 0, top: 0, right: innerWidth, bottom: isList ? Infinity : innerHeight };
    for (let each = node; each && each !== document.body; each = each.parentElement) {
      if (getComputedStyle(each).overflow !== "hidden") continue;
      const own = each.getBoundingClientRect();
      Object.assign(box, { left: Math.max(box.left, own.left), right: Math.min(box.right, own.right), top: Math.max(box.top, own.top), bottom: Math.min(box.bottom, own.bottom) });
    }
    return box;
  };
  const told = (node) => "." + node.className + " “" + node.textContent.trim().slice(0, 30) + "” of " + (node.closest("[data-key]") || node).textContent.trim().replace(/\s+/g, " ").slice(0, 24);
  const nodes = Array.from(document.querySelectorAll(".board *, .alert-line *")).filter((node) => {
    const hasText = Array.from(node.childNodes).some((child) => child.nodeType === 3 && child.textContent.trim());
    return hasText && node.offsetParent && getComputedStyle(node).visibility === "visible" && !isHeard(node);
  });
  const seen = [];
  for (const node of nodes) {
    const [text, box] = [extent(node), clip(node)];
    if (text.width < 1 || text.top >= box.bottom - 2) continue; // on a line that is not seen
    seen.push([node, text]);
    if (text.size < least) wrong.push(told(node) + " is small: " + text.size);
    const isCut = text.left < box.left - 1.5 || text.right > box.right + 1.5 || text.top < box.top - 1.5 || text.bottom > box.bottom + 1.5;
    if (isCut && !node.matches(MAY_BE_CUT)) wrong.push(told(node) + " is cut");
  }
  const places = new Map();
  for (const [node, text] of seen) {
    const card = node.closest(".queue-card, .total, .person, .call, .part-head, .alert, .board-head, .board-foot");
    if (!card) continue;
    for (const [other, rect] of places.get(card) || []) {
      const wide = Math.min(text.right, rect.right) - Math.max(text.left, rect.left);
      const high = Math.min(text.bottom, rect.bottom) - Math.max(text.top, rect.top);
      if (wide > 2 && high > 3 && !node.contains(other) && !other.contains(node) && !node.matches(MAY_BE_CUT) && !other.matches(MAY_BE_CUT)) wrong.push(told(node) + " lies on " + told(other));
    }
    places.set(card, (places.get(card) || []).concat([[node, text]]));
  }
  for (const [node, text] of seen) {
    const panel = node.closest(".people, .calls");
    const left = panel ? panel.getBoundingClientRect().bottom - text.bottom : Infinity;
    if (left < 0.5 * text.size) wrong.push(told(node) + " stands " + left.toFixed(1) + " px above the lower edge");
  }
  for (const name of document.querySelectorAll(".queue-card-name"))
    if (name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 3) wrong.push(told(name) + " is shortened");
  const page = document.documentElement;
  if ((page.scrollHeight > innerHeight && !isList) || page.scrollWidth > innerWidth) wrong.push("the page scrolls");
  return wrong;
}
