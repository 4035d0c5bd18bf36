// The lines of a rotation: shows as many as are used, one more on demand, and moves a line up with its values.
const lines = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(".rotation-line")));
const more = document.getElementById("more");
let used = Math.max(
  2,
  lines.reduce((last, line, index) => (line.querySelector("select").value ? index + 1 : last), 0),
);

function show() {
  lines.forEach((line, index) => {
    line.hidden = index >= used;
    /** @type {HTMLElement} */ (line.querySelector(".rotation-up")).hidden = index === 0;
  });
  more.hidden = used >= lines.length;
}

function swap(one, other) {
  for (const name of ["select", "input"]) {
    const [mine, theirs] = [one.querySelector(name), other.querySelector(name)];
    [mine.value, theirs.value] = [theirs.value, mine.value];
  }
}

lines.forEach((line, index) => {
  line.querySelector(".rotation-up").addEventListener("click", () => {
    swap(line, lines[index - 1]);
    const before = /** @type {HTMLElement} */ (lines[index - 1].querySelector(".rotation-up"));
    (before.hidden ? lines[index - 1].querySelector("select") : before).focus();
  });
});
more.addEventListener("click", () => {
  used += 1;
  show();
  lines[used - 1].querySelector("select").focus();
});
show();
