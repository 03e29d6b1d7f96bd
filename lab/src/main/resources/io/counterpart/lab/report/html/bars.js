// Bars, intervals and points, as plain SVG.
"use strict";

const ROLES = {
  flushed: "flushed (stock: all copies)",
  compacted: "compacted (stock: all copies)",
  flushedPrimary: "flushed, primary copies",
  flushedRedundant: "flushed, redundant copies",
  primaryTree: "compacted in the primary tree",
  primaryBatch: "gathered into the primary tree",
  split: "split: segments into runs",
  merged: "merged: runs into runs",
};

const RECOVERY_PARTS = {
  merkle: "Merkle trees, nothing streamed",
  stream: "streaming",
  other: "neither",
  verify: "comparison at the end, on top",
};

/** Where the names of rows end and bars begin. */
function nameWidth(names, width) {
  return Math.min(0.4 * width, 12 + 8 * Math.max(...names.map(name => name.length)));
}

/** Vertical grid lines with their numbers below, and the axis' title. */
function bottomAxis(picture, { ticks, x, from, to, bottom, title }) {
  for (const value of ticks) {
    picture.append(
      svg("line", { class: "grid", x1: x(value), x2: x(value), y1: 2, y2: bottom }),
      svg("text", { class: "soft", x: x(value), y: bottom + 15, "text-anchor": "middle" }, tick(value)));
  }
  picture.append(svg("text", { class: "soft", x: (from + to) / 2, y: bottom + 32, "text-anchor": "middle" }, title));
}

/** Horizontal: a line from low to high with ends, on a rim that parts it from a bar of any colour. */
function whisker(x1, x2, y, half = 4) {
  const d = `M${x1} ${y - half}V${y + half}M${x1} ${y}H${x2}M${x2} ${y - half}V${y + half}`;
  return svg("g", {}, svg("path", { class: "whisker rim", d }), svg("path", { class: "whisker", d }));
}

/** Bars with intervals: the throughput of a phase. */
function drawThroughput(place, chart, styles) {
  const bars = chart.bars.filter(bar => styles.has(bar.arm));
  if (bars.length === 0) return;
  const width = place.clientWidth, row = 26, bottom = bars.length * row + 4;
  const left = nameWidth(bars.map(bar => bar.arm), width), right = width - 58;
  const high = Math.max(...bars.map(bar => bar.throughput.high)) || 1;
  const x = value => left + (right - left) * value / high;
  const picture = drawing(width, bottom + 38, `Throughput of ${chart.phase} by arm`);
  bottomAxis(picture, { ticks: linearTicks(high, Math.max(2, (right - left) / 70)), x, from: left, to: right, bottom, title: "operations/s" });
  bars.forEach((bar, i) => {
    const { median, low, high: top } = bar.throughput, y = i * row + row / 2 + 2;
    picture.append(
      svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, bar.arm),
      svg("rect", { x: left, y: y - 8, width: Math.max(0, x(median) - left), height: 16, style: `fill: ${fillOf(styles.get(bar.arm))}` },
        svg("title", {}, `${bar.arm}: ${number(median)} operations/s (${number(low)} to ${number(top)}), ${bar.repeats} blocks`)));
    if (bar.repeats > 1) picture.append(whisker(x(low), x(top), y));
    picture.append(svg("text", { x: x(top) + 7, y: y + 4 }, number(median)));
  });
  place.append(picture);
}

/** Ratios on a log axis: measured with interval, what was asked for, what the paper has. */
function drawRatios(place, figures) {
  const width = place.clientWidth, row = 46, bottom = figures.length * row + 4;
  const values = figures.flatMap(f => [f.low, f.high, f.reach, f.paperLow, f.paperHigh, f.measured]).filter(v => v > 0);
  const low = Math.min(1, ...values) / 1.1, high = Math.max(1, ...values) * 1.1;
  const left = 12, right = width - 12;
  const x = value => left + (right - left) * Math.log(Math.max(value, low) / low) / Math.log(high / low);
  const picture = drawing(width, bottom + 38, "Figures of merit as ratios, with intervals, what was asked for and the paper's own");
  bottomAxis(picture, { ticks: logTicks(low, high, width / 50), x, from: left, to: right, bottom, title: "ratio (log axis); 1 is no difference" });
  picture.append(svg("line", { class: "axis", x1: x(1), x2: x(1), y1: 2, y2: bottom }));
  figures.forEach((figure, i) => {
    const y = i * row + 32;
    picture.append(
      svg("text", { class: "halo", x: left, y: y - 16 }, figure.id,
        svg("tspan", { style: "fill: var(--soft)" }, `  ${figure.arms.join(" ÷ ")}`)),
      svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }));
    if (figure.paperLow > 0) {
      picture.append(paperMark(x(figure.paperLow), x(figure.paperHigh), y, `paper: ${figure.paper}`));
    }
    if (figure.reach > 0) {
      picture.append(svg("rect", { x: x(figure.reach) - 2, y: y - 9, width: 4, height: 18, style: "fill: var(--warn)" },
        svg("title", {}, asked(figure))));
    }
    picture.append(
      whisker(x(figure.low), x(figure.high), y),
      svg("circle", { cx: x(figure.measured), cy: y, r: 5, style: "fill: var(--ink); stroke: var(--panel)" },
        svg("title", {}, `measured: ${number(figure.measured)} (${number(figure.low)} to ${number(figure.high)})`)));
  });
  place.append(picture);
}

/** The paper's value as a diamond, a range of values as a frame. */
function paperMark(x1, x2, y, title) {
  const d = x2 - x1 < 6
    ? `M${x1} ${y - 8}L${x1 + 8} ${y}L${x1} ${y + 8}L${x1 - 8} ${y}Z`
    : `M${x1} ${y - 7}H${x2}V${y + 7}H${x1}Z`;
  return svg("path", { d, style: "fill: var(--hue-1); fill-opacity: .2; stroke: var(--hue-1); stroke-width: 1.5" }, svg("title", {}, title));
}

const asked = figure => `${figure.atMost ? "≤" : "≥"} ${number(figure.reach)}`;

/** What each table wrote, by role. */
function drawAmplification(place, chart, styles) {
  drawStacked(place, chart.rows.filter(row => styles.has(row.arm)), {
    name: role => ROLES[role], fill: role => `var(--role-${role})`, unit: chart.unit,
    title: chart.unit === "MB" ? "MB written" : "bytes written ÷ (user bytes × replication factor)",
    about: "Bytes written while loading, by table and role",
  });
}

/** What each recovery took, by part; its time is written beside it, without the comparison on top. */
function drawRecoveries(place, chart, styles) {
  drawStacked(place, chart.rows.filter(row => styles.has(row.arm)), {
    name: part => RECOVERY_PARTS[part], fill: part => `var(--part-${part})`, unit: "s", title: "seconds",
    about: `Time of the recoveries of ${chart.phase}, by arm and part`,
  });
}

/** Stacked bars: a row for each arm, its total beside it. */
function drawStacked(place, rows, { name, fill, unit, title, about }) {
  if (rows.length === 0) return;
  const width = place.clientWidth, step = 34, bottom = rows.length * step + 4;
  const left = nameWidth(rows.map(row => row.arm), width), right = width - 48;
  const sumOf = row => Object.values(row.parts).reduce((sum, value) => sum + value, 0);
  const high = Math.max(...rows.map(sumOf)) || 1;
  const x = value => left + (right - left) * value / high;
  const picture = drawing(width, bottom + 38, about);
  bottomAxis(picture, { ticks: linearTicks(high, Math.max(2, (right - left) / 70)), x, from: left, to: right, bottom, title });
  rows.forEach((row, i) => {
    const y = i * step + 7;
    let sum = 0;
    picture.append(svg("text", { x: left - 8, y: y + 16, "text-anchor": "end" }, row.arm));
    for (const [part, value] of Object.entries(row.parts)) {
      picture.append(svg("rect", {
        x: x(sum), y, width: x(value) - left, height: 24, style: `fill: ${fill(part)}; stroke: var(--panel); stroke-width: ${value > 0 ? 1 : 0}`,
      }, svg("title", {}, `${row.arm}, ${name(part)}: ${number(value)} ${unit}`)));
      sum += value;
    }
    picture.append(svg("text", { x: x(sum) + 7, y: y + 16 }, number(row.total)));
  });
  place.append(picture);
}

/** Write throughput against read throughput, an arm a point; lines join what differs in S alone. */
function drawTradeOff(place, chart, styles) {
  const points = chart.points.filter(point => styles.has(point.arm));
  if (points.length === 0) return;
  const width = place.clientWidth, height = 320, left = 58, right = width - 14, top = 8, bottom = height - 44;
  const highX = 1.08 * Math.max(...points.map(point => point.write.high)) || 1;
  const highY = 1.12 * Math.max(...points.map(point => point.read.high)) || 1;
  const x = value => left + (right - left) * value / highX;
  const y = value => bottom - (bottom - top) * value / highY;
  const picture = drawing(width, height, `Throughput of ${chart.readPhase} against that of ${chart.writePhase}, by arm`);
  bottomAxis(picture, { ticks: linearTicks(highX, Math.max(2, width / 100)), x, from: left, to: right, bottom, title: `writes (${chart.writePhase}), operations/s` });
  for (const value of linearTicks(highY, 5)) {
    picture.append(
      svg("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg("text", { class: "soft", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, tick(value)));
  }
  const middle = (top + bottom) / 2;
  picture.append(svg("text", { class: "soft", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, `reads (${chart.readPhase}), operations/s`));
  const at = new Map(points.map(point => [point.arm, `${x(point.write.median)} ${y(point.read.median)}`]));
  for (const curve of chart.curves) {
    const path = curve.filter(arm => at.has(arm)).map(arm => at.get(arm)).join("L");
    if (path) picture.append(svg("path", { d: `M${path}`, style: "fill: none; stroke: var(--soft); stroke-dasharray: 2 3" }));
  }
  points.forEach(point => picture.append(...tradeOffMark(point, styles.get(point.arm), x, y)));
  picture.append(...tradeOffNames(points, new Set(chart.curves.flat()), x, y, { left, right, top, bottom }));
  place.append(picture);
}

function tradeOffMark(point, style, x, y) {
  const { write, read } = point, cx = x(write.median), cy = y(read.median), hue = `var(${hueOf(style)})`;
  // hollow or filled tells variants of a table apart, as hatching does for bars
  const fill = style.variant === 0 ? hue : "var(--panel)";
  return [
    svg("path", { style: `stroke: ${hue}; opacity: .7`, d: `M${x(write.low)} ${cy}H${x(write.high)}M${cx} ${y(read.low)}V${y(read.high)}` }),
    svg("circle", { cx, cy, r: 6, style: `fill: ${fill}; stroke: ${hue}; stroke-width: 2.5` },
      svg("title", {}, `${point.arm}: writes ${number(write.median)}, reads ${number(read.median)} operations/s`)),
  ];
}

/** Names beside their points, at the first of a few places that is free and inside. */
function tradeOffNames(points, joined, x, y, bounds) {
  const taken = points.map(point => ({ x: x(point.write.median) - 8, y: y(point.read.median) - 8, width: 16, height: 16 }));
  const meets = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  return points.map(point => {
    const name = !joined.has(point.arm) ? point.arm : `${point.arm} (S ${point.runs > 1e9 ? "∞" : point.runs})`;
    const size = { width: 7 * name.length, height: 14 }, cx = x(point.write.median), cy = y(point.read.median);
    const places = [0, -14, 14, -28, 28, -42, 42].flatMap(dy => [cx + 11, cx - 11 - size.width, cx - size.width / 2]
      .map(left => ({ x: left, y: cy - 7 + dy, ...size })));
    const inside = box => box.x >= bounds.left && box.x + box.width <= bounds.right && box.y >= bounds.top && box.y + box.height <= bounds.bottom;
    const within = places.filter(inside);
    const free = within.find(box => !taken.some(other => meets(box, other))) || within[0] || places[0];
    taken.push(free);
    return svg("text", { class: "halo", x: free.x, y: free.y + 11 }, name);
  });
}
