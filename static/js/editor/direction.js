// Columns are counted from the side where reading begins; the pixels of pointers and transforms always from the left.

/** 1 where reading begins at the left, -1 where it begins at the right. */
export function along() {
  return document.documentElement.dir === "rtl" ? -1 : 1;
}

/** How far x of the window is from the side of this box where reading begins. */
export function from(box, x) {
  return along() === 1 ? x - box.left : box.right - x;
}
