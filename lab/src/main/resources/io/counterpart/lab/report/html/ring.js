// The ring that the run had: outer band primary, inner bands redundant.
"use strict";

const RING_OUTER = 100, RING_PRIMARY = 20, RING_REDUNDANT = 11, RING_GAP = 2;

/** A node's colour, the same in picture and keys. */
const ringColour = (number, of) => `hsl(${Math.round(number * 360 / of)} 60% 50%)`;

const ringNodes = ring => [...new Set(ring.arcs.flatMap(arc => arc.replicas))]
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

/** Draws the ring in the middle of its place. */
function drawRing(place, ring) {
  const nodes = ringNodes(ring);
  const size = Math.min(340, place.clientWidth);
  const picture = svg("svg", {
    viewBox: "-104 -104 208 208", role: "img", style: `width: ${size}px; margin: 0 auto`,
    "aria-label": `The ring: ${ring.replicaSets} replica sets of ${ring.nodes} nodes`,
  });
  for (const arc of ring.arcs) {
    const part = arc.end > arc.start ? arc.end - arc.start : arc.end - arc.start + 1;
    const about = `${(100 * part).toFixed(2)} % of the ring: ${arc.replicas.join(", ")}`;
    arc.replicas.forEach((node, index) => picture.append(
      svg("path", {
        d: ringBand(arc.start, part, index),
        style: `fill: ${ringColour(nodes.indexOf(node), nodes.length)}; opacity: ${index === 0 ? 1 : .55}; stroke: var(--panel); stroke-width: .6`,
      }, svg("title", {}, about))));
  }
  place.append(picture);
}

/** A piece of a band, clockwise from the top. */
function ringBand(start, part, index) {
  const outer = index === 0 ? RING_OUTER : RING_OUTER - RING_PRIMARY - RING_GAP - (index - 1) * (RING_REDUNDANT + RING_GAP);
  const inner = Math.max(1, outer - (index === 0 ? RING_PRIMARY : RING_REDUNDANT));
  // a whole circle has no two ends to draw between
  const to = start + Math.min(part, 0.99999);
  const large = to - start > 0.5 ? 1 : 0;
  const at = (way, radius) =>
    `${(Math.sin(2 * Math.PI * way) * radius).toFixed(3)} ${(-Math.cos(2 * Math.PI * way) * radius).toFixed(3)}`;
  return `M${at(start, outer)}A${outer} ${outer} 0 ${large} 1 ${at(to, outer)}`
    + `L${at(to, inner)}A${inner} ${inner} 0 ${large} 0 ${at(start, inner)}Z`;
}

function ringKeys(ring) {
  const nodes = ringNodes(ring);
  return el("ul", { class: "keys" }, ...nodes.map((node, number) =>
    el("li", {}, el("span", { class: "swatch", style: `background: ${ringColour(number, nodes.length)}` }), node)));
}
