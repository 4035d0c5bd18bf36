/* The last hour of callers waiting as a filled line with the target, and the last day as a ribbon of quarter hours. */
import { setAttribute } from "../lib/dom.js";

const HEIGHT = 20;
const CALM_TOP = 4; // so that one caller more or less does not look like a mountain
const FAR = 2.5; // a target that many times above everything that happened is not drawn: it would press the line flat
const WIDTH = 59;
const LONG_ENOUGH = 2; // minutes with data; one is a speck, not a trend
const SHORT = 22; // minutes with data that leave room for words beside their line
const LAST_HOUR = 4; // quarters
const SLIVER = { 0: 0.3, 1: 0.65, 2: 1 };

/* The minutes of the hour in stretches of points; a stretch ends where there was no data. */
function stretches(hour, top) {
  const list = [];
  hour.forEach((value, index) => {
    if (value === null) return;
    if (!index || hour[index - 1] === null) list.push([]);
    list[list.length - 1].push([index, heightOf(value, top)]);
  });
  return list;
}

function heightOf(value, top) {
  return (HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1);
}

function topOf(hour, target) {
  const top = Math.max(CALM_TOP, ...hour.filter((value) => value !== null));
  return target && target <= top * FAR ? Math.max(top, target * 1.1) : top;
}

/* The line; target: how many may wait, or nothing. */
export function line(hour, target) {
  return stretches(hour, topOf(hour, target)).reduce((path, points) => path + "M" + points.map((point) => point.join(" ")).join("L"), "");
}

function area(hour, target) {
  return stretches(hour, topOf(hour, target)).reduce((path, points) => {
    const last = points[points.length - 1][0];
    return (
      path + "M" + points[0][0] + " " + HEIGHT + points.map((point) => "L" + point.join(" ")).join("") + "L" + last + " " + HEIGHT + "z"
    );
  }, "");
}

function targetLine(hour, target) {
  const top = topOf(hour, target);
  return target && target <= top ? "M0 " + heightOf(target, top) + "H" + WIDTH : "";
}

/* hour: callers waiting minute by minute, null where nothing was read; what is too short for a line is left empty. */
export function drawHour(svg, hour, target) {
  const isLong = hour.filter((value) => value !== null).length >= LONG_ENOUGH;
  const draw = [line, area, targetLine];
  draw.forEach((path, index) => setAttribute(svg.children[index], "d", isLong ? path(hour, target) : ""));
}

/* One path of slivers per level; the height tells the level as well as the colour does. */
export function slivers(quarters, level) {
  return quarters.reduce((path, quarter, index) => {
    if (quarter !== level) return path;
    const height = SLIVER[level];
    return path + "M" + (index + 0.1) + " " + (1 - height) + "h.8v" + height + "h-.8z";
  }, "");
}

/* When a queue that is new was read first, while its line leaves room to say so; 0 otherwise. */
export function learningSince(trend) {
  if (!trend || trend.late.slice(0, -LAST_HOUR - 1).some((quarter) => quarter !== null)) return 0;
  const minutes = trend.waiting.length - trend.waiting.findIndex((value) => value !== null);
  return minutes < SHORT ? trend.until - minutes * 60000 : 0;
}

export function updateTrend(svg, trend, target) {
  if (svg.drawn === trend && svg.target === target) return;
  svg.drawn = trend;
  svg.target = target;
  drawHour(svg, trend ? trend.waiting : [], target);
}

export function updateRibbon(svg, trend) {
  if (svg.drawn === trend) return;
  svg.drawn = trend;
  const quarters = trend ? trend.late : [];
  [0, 1, 2].forEach((level) => setAttribute(svg.children[level + 1], "d", slivers(quarters, level)));
}
