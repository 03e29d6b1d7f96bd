// Curves of few points: measured, modelled, the paper's.
"use strict";

const SERIES_DASHES = { MEASURED: "", MODEL: "6 4", PAPER: "2 3" };
const seriesColour = i => `var(--hue-${i % 8})`;

/** A point: filled where measured, hollow where modelled, a diamond for the paper's. */
function seriesMark(source, x, y, colour, title) {
  const style = `stroke: ${colour}; stroke-width: 2; fill: ${source === "MODEL" ? "var(--panel)" : colour}`;
  const mark = source === "PAPER"
    ? svg("path", { d: `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`, style })
    : svg("circle", { cx: x, cy: y, r: 4.5, style });
  if (title) mark.append(svg("title", {}, title));
  return mark;
}

function seriesKeys(axes) {
  return el("ul", { class: "keys" }, ...axes.lines.map((line, i) => el("li", {},
    svg("svg", { width: 34, height: 16, "aria-hidden": "true" },
      svg("path", { d: "M1 8H33", style: `stroke: ${seriesColour(i)}; stroke-width: 2; stroke-dasharray: ${SERIES_DASHES[line.source] || "none"}` }),
      seriesMark(line.source, 17, 8, seriesColour(i))), line.name)));
}

function drawSeries(place, axes) {
  const points = axes.lines.flatMap(line => line.points);
  if (points.length === 0) return;
  const width = place.clientWidth, height = 280, left = 58, right = width - 18, top = 10, bottom = height - 44;
  const highX = 1.04 * Math.max(...points.map(point => point.x)), highY = 1.08 * Math.max(...points.map(point => point.y)) || 1;
  const x = value => left + (right - left) * value / highX;
  const y = value => bottom - (bottom - top) * value / highY;
  const picture = drawing(width, height, axes.title);
  bottomAxis(picture, { ticks: [...new Set(points.map(point => point.x))], x, from: left, to: right, bottom, title: axes.xLabel });
  for (const value of linearTicks(highY, 5)) {
    picture.append(
      svg("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg("text", { class: "soft", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, tick(value)));
  }
  const middle = (top + bottom) / 2;
  picture.append(svg("text", { class: "soft", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, axes.yLabel));
  axes.lines.forEach((line, i) => {
    const path = line.points.map(point => `${x(point.x)} ${y(point.y)}`).join("L");
    picture.append(
      svg("path", { d: `M${path}`, style: `fill: none; stroke: ${seriesColour(i)}; stroke-width: 2; stroke-dasharray: ${SERIES_DASHES[line.source] || "none"}` }),
      ...line.points.map(point => seriesMark(line.source, x(point.x), y(point.y), seriesColour(i), `${line.name}: ${number(point.y)} at ${tick(point.x)} ${axes.xLabel}`)));
  });
  place.append(picture);
}
