// Elements, numbers and colours: what every chart needs.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; null children are left out, texts are never parsed. */
function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An SVG element. */
function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null) element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== null));
  return element;
}

/** A drawing as wide as its place, with a text for those who cannot see it. */
function drawing(width, height, label) {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
}

/** About three digits, with thousands apart: 12,345 and 1.23 and 0.440; integers as they are. */
function number(value) {
  if (value === null || value === undefined) return "–";
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(1);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number under a tick: no more digits than it needs. */
function tick(value) {
  return Math.abs(value) >= 1e6
    ? number(value / 1e6) + " M"
    : value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${Math.round(seconds)} s`;
  return minutes < 60 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Round steps from 0 to at least a value. */
function linearTicks(high, atMost) {
  const rough = high / atMost || 1;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find(factor => factor * magnitude >= rough * 0.999) * magnitude;
  const ticks = [];
  for (let i = 0; i * step <= high * 1.0001; i++) ticks.push(i * step);
  return ticks;
}

/** 1, 2 and 5 times powers of ten within bounds; only powers of ten where those would crowd. */
function logTicks(low, high, atMost) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const factor of [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low * 0.9999 && value <= high * 1.0001) ticks.push(Number(value.toPrecision(2)));
    }
  }
  return ticks.length <= atMost ? ticks : ticks.filter(value => Number.isInteger(Math.log10(value)));
}

/** A custom property of the style sheet in the colour scheme that is on. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const hueOf = style => `--hue-${style.hue % 8}`;

/** Dashes of the variants of a table, hatching's counterpart for lines. */
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4]];
const dashOf = style => DASHES[style.variant % DASHES.length];

/** What fills an arm's bars: plain for the bare table, hatched for its variants. */
function fillOf(style) {
  return style.variant === 0 ? `var(${hueOf(style)})` : `url(#hatch-${style.hue % 8}-${style.variant % DASHES.length})`;
}

/** The hatchings, once for the page. */
function hatchings(styles) {
  const patterns = styles.filter(style => style.variant > 0).map(style => {
    const size = 4 + 2 * (style.variant % DASHES.length);
    return svg("pattern", {
      id: `hatch-${style.hue % 8}-${style.variant % DASHES.length}`, width: size, height: size,
      patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    },
      svg("rect", { width: size, height: size, style: `fill: var(${hueOf(style)}); opacity: .3` }),
      svg("rect", { width: size / 2, height: size, style: `fill: var(${hueOf(style)})` }));
  });
  return svg("svg", { width: 0, height: 0, style: "position: absolute", "aria-hidden": "true" }, svg("defs", {}, ...patterns));
}

/** A table; columns are {title, text: whether it is flushed left, value: of a row, as text or element}. */
function table(columns, rows) {
  const side = column => (column.text ? { class: column.long ? "text long" : "text" } : {});
  return el("div", { class: "scroll", tabindex: 0 },
    el("table", {},
      el("thead", {}, el("tr", {}, ...columns.map(column => el("th", { scope: "col", ...side(column) }, column.title)))),
      el("tbody", {}, ...rows.map(row => el("tr", {}, ...columns.map(column => el("td", side(column), column.value(row))))))));
}
