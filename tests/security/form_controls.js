/** What is wrong with the forms and tables of the open page: one line for each pair, control or table. */
() => {
  const CONTROLS = "button, .button, .button-quiet, select, input:not([type=checkbox], [type=radio], [type=hidden], [type=color])";
  const TOGETHER = "form, fieldset, .row, .page-head, .report-head, tr, .panel, li";
  const LEAST_GAP = 8;
  const isSeen = (node) => {
    const box = node.getBoundingClientRect();
    const isDrawn = node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return isDrawn && box.width > 4 && box.height > 4;
  };
  const told = (node) => node.outerHTML.replace(/\s+/g, " ").slice(0, 90);
  const isBeside = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return shared > 0.5 * Math.min(a.height, b.height);
  };
  const differs = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const [mine, theirs] = [getComputedStyle(one), getComputedStyle(other)];
    if (Math.abs(a.height - b.height) > 0.5) return `${a.height} and ${b.height} px high`;
    if (Math.abs(a.top - b.top) > 0.5) return `${Math.abs(a.top - b.top)} px apart`;
    const isWritten = [one, other].every((node) => node.matches("input, select") || /\p{L}/u.test(node.textContent));
    return !isWritten || mine.fontSize === theirs.fontSize ? "" : `text of ${mine.fontSize} and ${theirs.fontSize}`;
  };
  const uneven = (all) =>
    all.flatMap((one, place) =>
      all.slice(place + 1).flatMap((other) => {
        const isPair = one.closest(TOGETHER) && one.closest(TOGETHER) === other.closest(TOGETHER);
        const what = isPair && isBeside(one, other) ? differs(one, other) : "";
        return what ? [`${what}: ${told(one)} beside ${told(other)}`] : [];
      }),
    );
  const above = (node) => {
    for (let part = node; part && !part.matches("form, .panel, main, td, li"); part = part.parentElement) {
      let before = part.previousElementSibling;
      while (before && !isSeen(before)) before = before.previousElementSibling;
      if (before) return before;
    }
    return null;
  };
  const sticking = (all) =>
    all.flatMap((node) => {
      const before = above(node);
      if (!before || isBeside(before, node)) return [];
      const gap = node.getBoundingClientRect().top - before.getBoundingClientRect().bottom;
      return gap < LEAST_GAP ? [`${gap} px below: ${told(node)} sticks to ${told(before)}`] : [];
    });
  const colons = () =>
    [...document.querySelectorAll("label, legend, .label, th")]
      .filter((node) => isSeen(node) && /[:：]\s*$/.test(node.textContent))
      .map((node) => `colon: ${told(node)}`);
  const sideways = () =>
    [...document.querySelectorAll(".table-wrap:not(:has(.contacts-preview))")] // which is as wide as the file that was given
      .filter((node) => isSeen(node) && node.scrollWidth > node.clientWidth + 1)
      .map((node) => `${node.scrollWidth - node.clientWidth} px to push sideways: ${told(node.querySelector("table"))}`);
  const all = [...document.querySelectorAll(CONTROLS)].filter((node) => isSeen(node) && !node.closest(".nav"));
  const buttons = all.filter((node) => node.closest("form") && node.matches("button, .button, .button-quiet"));
  return [...uneven(all), ...sticking(buttons), ...colons(), ...sideways()];
};
