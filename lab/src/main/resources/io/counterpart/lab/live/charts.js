// The measures of a run over time, a chart for each, one series for each arm.
import { clock, element, fine, shape, short } from "./format.js";

const HUES = 8;
// more charts than these stand side by side
const FEW = 3;

/** What a chart shows of a sample, in its unit; null if the sample does not have it. */
function valueOf(sample, measure) {
  const value = sample[measure.name] ?? sample.measures?.[measure.name];
  return value === undefined ? null : value / measure.divisor;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Charts {
  #samples = [];
  #arms = [];
  #measures = [];
  #shown = [];
  #plots = [];
  #drawn = -1;
  #blockEnded = false;

  constructor() {
    dark.addEventListener("change", () => this.#rebuild());
    new ResizeObserver(() => this.#resize()).observe(document.getElementById("charts"));
  }

  start() {
    this.#samples = [];
    this.#arms = [];
    this.#measures = [];
    this.#shown = [];
    this.#blockEnded = false;
    this.#rebuild();
  }

  /** The next sample is another block's. */
  endBlock() {
    this.#blockEnded = true;
  }

  add(sample) {
    const last = this.#samples.at(-1);
    if (this.#blockEnded && last) {
      // nothing was measured between two blocks, so no line may join them
      this.#samples.push({ second: last.second + 0.001, arm: null });
    }
    this.#blockEnded = false;
    this.#samples.push(sample);
    if (!this.#arms.includes(sample.arm)) {
      this.#arms.push(sample.arm);
      this.#drawn = -1;
    }
    // a chart of zeros only says that there is nothing of its kind in this experiment
    const more = this.#measures.filter((measure) => !this.#shown.includes(measure) && valueOf(sample, measure) > 0);
    if (more.length > 0) {
      this.#shown = this.#measures.filter((measure) => this.#shown.includes(measure) || more.includes(measure));
      this.#drawn = -1;
    }
  }

  /** Arms in the experiment's order; loads are named after a table, which may be no arm. */
  know(arms, measures) {
    this.#arms = [...arms];
    if (this.#measures.length === 0) {
      this.#measures = measures;
      this.#shown = measures.filter((measure) => measure.always);
    }
    this.#rebuild();
  }

  draw() {
    if (this.#drawn === this.#samples.length) return;
    if (this.#drawn < 0) this.#rebuild();
    this.#plots.forEach((plot, i) => plot.setData(this.#data(this.#shown[i])));
    this.#drawn = this.#samples.length;
  }

  // arms run in turn: while one has a value the others have none
  #data(measure) {
    const series = this.#arms.map((arm) =>
      this.#samples.map((sample) => (sample.arm === arm ? valueOf(sample, measure) : null)));
    return [this.#samples.map((sample) => sample.second), ...series];
  }

  #rebuild() {
    this.#plots.forEach((plot) => plot.destroy());
    const plots = document.getElementById("plots");
    plots.classList.toggle("many", this.#shown.length > FEW);
    plots.replaceChildren(...this.#shown.map((measure) => {
      const box = element("div", "chart");
      box.id = measure.name;
      return element("div", "", element("h2", "", `${measure.title} `, element("span", "quiet", measure.unit)), box);
    }));
    this.#plots = this.#shown.map((measure) => this.#plot(measure));
    this.#drawn = this.#samples.length;
    this.#legend();
  }

  #plot(measure) {
    const box = document.getElementById(measure.name);
    const axis = {
      stroke: color("--quiet"),
      grid: { stroke: color("--line"), width: 1 },
      ticks: { stroke: color("--line"), width: 1 },
      font: "12px system-ui, sans-serif",
    };
    return new uPlot({
      width: box.clientWidth,
      height: box.clientHeight,
      legend: { show: false },
      cursor: { sync: { key: "run" }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (plot, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [
        { ...axis, size: 28, values: (plot, ticks) => ticks.map(clock) },
        { ...axis, size: 52, values: (plot, ticks) => ticks.map(short) },
      ],
      series: [{}, ...this.#arms.map((arm) => this.#series(arm))],
      hooks: { setCursor: [(plot) => this.#read(plot.cursor.idx)] },
    }, this.#data(measure), box);
  }

  #series(arm) {
    const style = this.#style(arm);
    return {
      label: arm, stroke: style.color, width: 1.75, dash: style.dash,
      points: { show: true, size: 4, width: 0, fill: style.color },
    };
  }

  // a table's arms share its hue; the one that reads the primary first is dashed
  #style(arm) {
    const tables = [...new Set(this.#arms.map((name) => name.split("+")[0]))];
    const hue = tables.indexOf(arm.split("+")[0]) % HUES;
    return { color: color(`--hue${hue}`), dash: arm.includes("+") ? [5, 4] : undefined };
  }

  #legend() {
    document.getElementById("arms").replaceChildren(...this.#arms.map((arm) => {
      const style = this.#style(arm);
      const swatch = shape("svg", { viewBox: "0 0 22 10" });
      swatch.append(shape("line", {
        x1: 0, x2: 22, y1: 5, y2: 5, stroke: style.color, "stroke-width": 3,
        "stroke-dasharray": style.dash ? style.dash.join(" ") : "none",
      }));
      return element("span", "", swatch, arm);
    }));
  }

  #read(index) {
    // what stands for a gap between blocks has nothing to read: its neighbour has
    const sample = index == null ? undefined : this.#samples[index].arm ? this.#samples[index] : this.#samples[index - 1];
    document.getElementById("readout").textContent = sample?.arm
      ? `${clock(sample.second)}  ${sample.arm}, ${sample.phase}: ${this.#reading(sample)}`
      : "Point at a chart to read it.";
  }

  #reading(sample) {
    return this.#shown
      .map((measure) => ({ measure, value: valueOf(sample, measure) }))
      .filter(({ value }) => value !== null)
      .map(({ measure, value }) => `${measure.title.toLowerCase()} ${fine(value)}`)
      .join(", ");
  }

  #resize() {
    this.#plots.forEach((plot, i) => {
      const box = document.getElementById(this.#shown[i].name);
      plot.setSize({ width: box.clientWidth, height: box.clientHeight });
    });
  }
}
