// The ring: who is primary for which arc, and who holds the redundant copies.
import { count, element, percent, shape } from "./format.js";

const HUES = 8;
const OUTER = 100;
// thick enough to be seen first: the primary's band
const PRIMARY_WIDTH = 20;
const REDUNDANT_WIDTH = 11;
const GAP = 2;

const width = (arc) => (arc.end > arc.start ? arc.end - arc.start : arc.end - arc.start + 1);

export class Ring {
  #arcs = [];
  #nodes = [];
  #chosen = null;
  #svg = null;

  show(ring) {
    this.#arcs = ring.arcs;
    document.getElementById("ring-balance").textContent = balance(ring);
    // the server leaves out the arcs of a ring that is too large to be drawn
    if (ring.arcs.length === 0) {
      document.getElementById("ring").replaceChildren(element("p", "quiet", "too many arcs to be drawn"));
      return;
    }
    this.#chosen = null;
    this.#nodes = [...new Set(ring.arcs.flatMap((arc) => arc.replicas))]
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    this.#draw();
    this.#buttons();
    this.#mark(null);
  }

  #draw() {
    this.#svg = shape("svg", { viewBox: "-104 -104 208 208", role: "img", "aria-label": "The ring's arcs" });
    for (const arc of this.#arcs) {
      arc.replicas.forEach((node, index) => this.#svg.append(this.#segment(arc, node, index)));
    }
    this.#svg.append(shape("text", { y: -2, id: "ring-name" }));
    this.#svg.append(shape("text", { y: 14, class: "quiet", id: "ring-share" }));
    this.#svg.addEventListener("mouseleave", () => this.#mark(this.#chosen));
    document.getElementById("ring").replaceChildren(this.#svg);
  }

  #segment(arc, node, index) {
    const outer = index === 0 ? OUTER : OUTER - PRIMARY_WIDTH - GAP - (index - 1) * (REDUNDANT_WIDTH + GAP);
    const inner = outer - (index === 0 ? PRIMARY_WIDTH : REDUNDANT_WIDTH);
    const path = shape("path", {
      d: band(arc.start, width(arc), outer, inner),
      class: index === 0 ? "primary" : "redundant",
      "data-node": node,
    });
    path.style.fill = this.#hue(node);
    const title = shape("title", {});
    title.textContent = `${percent(width(arc))} of the ring: ${arc.replicas[0]} primary, ${arc.replicas.slice(1).join(", ") || "nobody"} redundant`;
    path.append(title);
    path.addEventListener("mouseenter", () => this.#mark(node));
    path.addEventListener("click", () => this.#choose(node));
    return path;
  }

  #hue(node) {
    return `var(--hue${this.#nodes.indexOf(node) % HUES})`;
  }

  #buttons() {
    document.getElementById("nodes").replaceChildren(...this.#nodes.map((node) => {
      const swatch = element("i", "");
      swatch.style.background = this.#hue(node);
      const button = element("button", "node", swatch, node);
      button.type = "button";
      button.dataset.node = node;
      button.addEventListener("click", () => this.#choose(node));
      return button;
    }));
  }

  #choose(node) {
    this.#chosen = this.#chosen === node ? null : node;
    this.#mark(this.#chosen);
  }

  #mark(node) {
    this.#svg.classList.toggle("chosen", node !== null);
    for (const path of this.#svg.querySelectorAll("path")) {
      path.classList.toggle("mine", path.dataset.node === node);
    }
    for (const button of document.querySelectorAll("button.node")) {
      button.setAttribute("aria-pressed", String(button.dataset.node === this.#chosen));
    }
    const share = (holds) => percent(this.#arcs.filter(holds).reduce((sum, arc) => sum + width(arc), 0));
    this.#svg.querySelector("#ring-name").textContent = node ?? `${this.#nodes.length} nodes`;
    this.#svg.querySelector("#ring-share").textContent = node
      ? `${this.#arcs.filter((arc) => arc.replicas.includes(node)).length} arcs`
      : `${this.#arcs.length} arcs`;
    document.getElementById("ring-text").textContent = node
      ? `${node}: primary for ${share((arc) => arc.replicas[0] === node)} of the ring, `
        + `redundant for ${share((arc) => arc.replicas.indexOf(node) > 0)}`
      : "Choose a node to see where it is primary and where redundant.";
  }
}

/** How many sets of nodes keep arcs together, and how even the nodes' shares are. */
function balance(ring) {
  const ratio = (value) => value.toFixed(2);
  return `${count(ring.replicaSets)} replica sets of ${count(ring.nodes)} nodes; most ÷ mean: `
    + `led ${ratio(ring.primaryImbalance)}, copies ${ratio(ring.copiesImbalance)}`;
}

/** A piece of a ring as an SVG path, clockwise from the top. */
function band(start, size, outer, inner) {
  // a whole circle has no two ends to draw between
  const from = start * 2 * Math.PI;
  const to = (start + Math.min(size, 0.99999)) * 2 * Math.PI;
  const large = to - from > Math.PI ? 1 : 0;
  const at = (angle, radius) => `${(Math.sin(angle) * radius).toFixed(3)} ${(-Math.cos(angle) * radius).toFixed(3)}`;
  return `M${at(from, outer)}A${outer} ${outer} 0 ${large} 1 ${at(to, outer)}`
    + `L${at(to, inner)}A${inner} ${inner} 0 ${large} 0 ${at(from, inner)}Z`;
}
