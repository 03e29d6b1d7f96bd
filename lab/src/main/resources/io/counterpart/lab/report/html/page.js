// Puts the report together and draws it anew when its width, colours or shown arms change.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const report = document.getElementById("report");
const hidden = new Set();
const charts = [];

/** The arms that are shown, with how to draw them. */
function shown() {
  return new Map(data.arms.filter(style => !hidden.has(style.name)).map(style => [style.name, style]));
}

/** A framed chart; draw(place) is called whenever it has to be drawn. */
function chart(title, note, draw, ...below) {
  const place = el("div", { class: "chart" });
  charts.push({ place, draw });
  return el("figure", {}, el("figcaption", {}, title, note ? el("small", {}, ` ${note}`) : null), place, ...below);
}

function redraw() {
  // a place is measured empty: what was drawn for another width would hold it open
  charts.forEach(({ place }) => place.replaceChildren());
  charts.forEach(({ place, draw }) => draw(place));
}

function section(title, note, ...children) {
  return [el("h2", {}, title), note ? el("p", { class: "soft small" }, note) : null, ...children].filter(Boolean);
}

function folded(title, ...children) {
  return el("details", {}, el("summary", {}, title), ...children);
}

function header() {
  const facts = {
    experiment: data.experiment, paper: data.paper, scale: data.scale, seed: data.config.seed,
    took: duration(data.seconds), Cassandra: data.config.cassandra, memcached: data.config.memcached, nodes: data.config.nodes, RF: data.config.replicationFactor,
  };
  return [
    el("h1", {}, data.title),
    el("dl", { class: "facts" }, ...Object.entries(facts)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([key, value]) => el("div", {}, el("dt", {}, key), el("dd", {}, String(value))))),
    data.scale === "smoke"
      ? el("p", { class: "warn" }, "Smoke scale: it shows that everything works. Its figures mean little.")
      : null,
    verdict(),
  ].filter(Boolean);
}

function verdict() {
  const counts = `${number(data.checked)} values checked byte by byte: ${number(data.lost)} lost, ${number(data.wrong)} wrong, ${number(data.unread)} unread.`
    + ` ${number(data.failed)} operations failed while measuring.`;
  const [kind, words] = data.brokenOff ? ["warn", `? The run broke off (${data.brokenOff}): not every value was read back`]
    : !data.clean ? ["bad", "✗ Data check failed: the figures below do not count"]
    : data.checked === 0 ? ["warn", "? No value was checked"]
    : ["good", "✓ Every value was read back intact"];
  return el("div", { class: `verdict ${kind}`, role: "status" }, el("strong", {}, words), el("span", {}, counts));
}

function figures() {
  if (data.figures.length === 0) return section("Figures of merit", "This result has none.");
  const ratios = data.figures.filter(figure => figure.unit === "ratio" && figure.measured > 0);
  const columns = [
    { title: "figure", text: true, value: f => f.id },
    { title: "measured", value: f => el("b", {}, number(f.measured)) },
    { title: "interval", value: f => `${number(f.low)} to ${number(f.high)}` },
    { title: "unit", text: true, value: f => f.unit },
    { title: "asked", value: asked },
    { title: "paper", value: f => f.paper || "–" },
    { title: "reached", text: true, value: f => el("span", { class: f.reached ? "good" : "bad" }, f.reached ? "✓ yes" : "✗ no") },
    { title: "verdict", text: true, value: f => f.verdict },
    { title: "arms", text: true, value: f => f.arms.join(" ÷ ") },
  ];
  return section("Figures of merit",
    "Medians, of ratios between neighbouring blocks where the unit is a ratio. Intervals: 95 % bootstrap of the median, or the extremes of fewer than five pairs. A ratio whose interval holds 1 is no difference.",
    table(columns, data.figures),
    ratios.length ? el("div", { class: "charts wide" }, chart("Measured, asked for, and the paper's", "", place => drawRatios(place, ratios), ratioKeys())) : null);
}

function ratioKeys() {
  const key = (mark, text) => el("li", {}, svg("svg", { width: 24, height: 18, "aria-hidden": "true" }, ...mark), text);
  return el("ul", { class: "keys" },
    key([whisker(2, 22, 9), svg("circle", { cx: 12, cy: 9, r: 5, style: "fill: var(--ink)" })], "measured, with interval"),
    key([svg("rect", { x: 10, y: 0, width: 4, height: 18, style: "fill: var(--warn)" })], "asked for"),
    key([paperMark(12, 12, 9, "")], "paper"),
    key([paperMark(2, 22, 9, "")], "paper, a range"));
}

function legend() {
  const buttons = data.arms.map(style => el("button", {
    type: "button", "aria-pressed": "true",
    onclick: event => {
      const show = hidden.delete(style.name);
      if (!show) hidden.add(style.name);
      event.currentTarget.setAttribute("aria-pressed", String(show));
      redraw();
    },
  }, armSwatch(style), style.name));
  return el("div", { class: "legend", role: "group", "aria-label": "Arms shown in the charts" }, el("span", {}, "Arms:"), ...buttons);
}

/** A bar's filling and a line's dashes in one. */
function armSwatch(style) {
  return svg("svg", { width: 38, height: 12, "aria-hidden": "true" },
    svg("rect", { width: 12, height: 12, style: `fill: ${fillOf(style)}` }),
    svg("line", { x1: 16, x2: 38, y1: 6, y2: 6, style: `stroke: var(${hueOf(style)}); stroke-width: 2.5; stroke-dasharray: ${dashOf(style).join(" ") || "none"}` }));
}

function throughput() {
  return section("Throughput",
    "Bars are medians of the blocks of an arm, lines their intervals (as above). Loads are by table, before routing matters.",
    el("div", { class: "charts" }, ...data.throughput.map(phase => chart(phase.phase, "", place => drawThroughput(place, phase, shown())))));
}

function latencies() {
  const columns = [
    { title: "phase", text: true, value: r => r.phase }, { title: "operation", text: true, value: r => r.kind },
    { title: "arm", text: true, value: r => r.arm }, { title: "answers", value: r => number(r.count) },
    ...["p50", "p90", "p99", "p999", "max"].map(key => ({ title: `${key === "p999" ? "p99.9" : key}, ms`, value: r => number(r[key]) })),
  ];
  const rows = data.latencies.flatMap(c => c.curves.map(curve => ({ ...curve, phase: c.phase, kind: c.kind })));
  return section("Latency",
    "Percentiles of the merged histograms of an arm's blocks. A curve ends where fewer than one answer is slower.",
    el("div", { class: "charts" }, ...data.latencies.map(c => chart(c.phase, c.kind.replaceAll("_", "-"), place => drawLatencies(place, c, shown())))),
    folded("Latencies as a table", table(columns, rows)));
}

function overTime() {
  const { timeline } = data;
  if (timeline.seconds.length === 0) return [];
  const lines = measure => measure.tracks.filter(track => shown().has(track.arm))
    .map(track => ({ series: armSeries(shown().get(track.arm)), values: track.values }));
  return section("Over time",
    "A sample a second while blocks run (five of a memory tier's change of servers), or one of a shorter block; arms take turns, so one arm has values at a time. Bands are phases. Drag to zoom, double-click for the whole run.",
    el("div", { class: "charts wide" }, ...timeline.charts.map(measure =>
      chart(measure.title, measure.unit, place =>
        drawOverTime(place, timeline, { label: measure.unit, unit: measure.unit, lines: lines(measure) })))));
}

function amplification() {
  const chartData = data.amplification;
  if (chartData === null) return [];
  const roles = Object.keys(ROLES).filter(role => chartData.rows.some(row => row.parts[role] > 0));
  const keys = el("ul", { class: "keys" }, ...roles.map(role =>
    el("li", {}, el("span", { class: "swatch", style: `background: var(--role-${role})` }), ROLES[role])));
  const columns = [{ title: "table", text: true, value: row => row.arm },
    ...roles.map(role => ({ title: ROLES[role], value: row => number(row.parts[role]) })), { title: "total", value: row => number(row.total) }];
  return section("Write amplification while loading",
    "What each table's nodes wrote during its load blocks (and drains, where the result has them), by what it was written for. What is still in memtables, or compacted after the last of these blocks, is not in it.",
    el("div", { class: "charts wide" }, chart("By role", "", place => drawAmplification(place, chartData, shown()), keys)),
    folded("As a table", el("p", { class: "small soft" }, chartData.unit), table(columns, chartData.rows)));
}

function breakdowns() {
  if (data.breakdowns.length === 0) return [];
  const measured = data.breakdowns.flatMap(phase => phase.rows.map(row => ({ ...row, phase: phase.phase, unit: phase.unit })));
  const parts = partsOf(data.breakdowns);
  const keys = el("ul", { class: "keys" }, ...parts.map(part =>
    el("li", {}, el("span", { class: "swatch", style: `background: ${partColour(part)}` }), partName(part))));
  const columns = [{ title: "phase", text: true, value: r => r.phase }, { title: "arm", text: true, value: r => r.arm }, { title: "unit", text: true, value: r => r.unit },
    ...parts.map(part => ({ title: partName(part), value: r => number(r.parts[part] ?? 0) })), { title: "total", value: r => number(r.total) }, { title: "CPU, measured apart", value: r => number(r.cpu) }];
  return section("Where the servers' time went",
    `Time of all nodes' threads over all blocks of an arm; a drain counts for the phase before it. ${Object.values(data.config.breakdown ?? {}).filter(value => typeof value === "string").join(". ")}`,
    keys,
    el("div", { class: "charts" }, ...data.breakdowns.map(phase => chart(phase.phase, phase.unit, place => drawBreakdown(place, phase, shown())))),
    folded("As a table", table(columns, measured)));
}

function series() {
  if (data.series.length === 0) return [];
  const points = data.series.flatMap(axes => axes.lines.flatMap(line => line.points.map(point => ({ axes, line, ...point }))));
  const columns = [{ title: "chart", text: true, value: r => r.axes.title }, { title: "line", text: true, value: r => r.line.name },
    { title: "x", value: r => number(r.x) }, { title: "y", value: r => number(r.y) }];
  return section("Curves", "Measured on this run's cluster, modelled by the simulator at the paper's size, and what the paper's text has.",
    el("div", { class: "charts" }, ...data.series.map(axes => chart(axes.title, "", place => drawSeries(place, axes), seriesKeys(axes)))),
    folded("As a table", table(columns, points)));
}

function recoveries() {
  if (data.recoveries.length === 0) return [];
  const parts = Object.keys(RECOVERY_PARTS).filter(part => data.recoveries.some(c => c.rows.some(row => row.parts[part] > 0)));
  const keys = () => el("ul", { class: "keys" }, ...parts.map(part =>
    el("li", {}, el("span", { class: "swatch", style: `background: var(--part-${part})` }), RECOVERY_PARTS[part])));
  const columns = [
    { title: "phase", text: true, value: r => r.phase }, { title: "arm", text: true, value: r => r.arm },
    { title: "recoveries", value: r => number(r.repeats) }, { title: "time, s", value: r => number(r.total) },
    ...parts.map(part => ({ title: `${RECOVERY_PARTS[part]}, s`, value: r => number(r.parts[part] ?? 0) })),
    { title: "received, MB", value: r => number(r.receivedMegabytes) },
    { title: "in whole sstables", value: r => `${number(100 * r.wholeFraction)} %` },
    { title: "CPU, s", value: r => number(r.cpuSeconds) },
  ];
  const rows = data.recoveries.flatMap(c => c.rows.map(row => ({ ...row, phase: c.phase })));
  return section("Recovery",
    "From the call to the last byte, by what went on; the node's start is not in it. Medians over the repeats, each on its own. Numbers beside the bars leave out the comparison of all replicas that some ways do at their end.",
    el("div", { class: data.recoveries.length === 1 ? "charts wide" : "charts" }, ...data.recoveries.map(c =>
      chart(c.phase, "", place => drawRecoveries(place, c, shown()), keys()))),
    folded("As a table", table(columns, rows)));
}

function tradeOffs() {
  if (data.tradeOffs.length === 0) return [];
  return section("Reads against writes",
    "Further up reads faster, further right writes faster; lines through the points are intervals. A dotted line joins arms that differ in the number of runs S (DEPART Table 1).",
    el("div", { class: data.tradeOffs.length === 1 ? "charts wide" : "charts" }, ...data.tradeOffs.map(pair =>
      chart(`${pair.readPhase} against ${pair.writePhase}`, "", place => drawTradeOff(place, pair, shown())))));
}

function costs() {
  const ofTier = data.config.memcached !== undefined;
  const ofTables = ofTier ? [] : [["gcSeconds", "GC, s"], ["diskReadMegabytes", "disk read, MB"],
    ["diskWrittenMegabytes", "disk written, MB"], ["flushedMegabytes", "flushed, MB"], ["compactedMegabytes", "compacted, MB"],
    ["sstablesPerRead", "sstables per read"], ["keyCacheHitRatio", "key cache hit ratio"]];
  const columns = [
    { title: "phase", text: true, value: r => r.phase }, { title: "arm", text: true, value: r => r.arm },
    { title: "blocks", value: r => number(r.repeats) }, { title: "failed ops", value: r => number(r.failed) },
    ...[["seconds", "time, s"], ["cpuSeconds", "CPU, s"], ...ofTables]
      .map(([key, title]) => ({ title, value: r => r[key] === null ? "not measured" : number(r[key]) })),
  ];
  return section("Cost to the servers",
    ofTier ? "All servers of an arm together, median over its blocks; of a proxy's restarts, the proxy's process."
      : "All nodes together, median over an arm's blocks. Bytes flushed and compacted are the table's own; CPU, disk and GC hold what other tables did in the background.",
    folded("As a table", table(columns, data.costs)));
}

/** What the memory tier counted of its work. */
function counters() {
  if (data.counters.length === 0) return [];
  const columns = [
    { title: "phase", text: true, value: r => r.phase }, { title: "arm", text: true, value: r => r.arm },
    { title: "counted", text: true, value: r => r.counter }, { title: "median of the blocks", value: r => number(r.median) },
  ];
  return section("Operations and bytes of the memory tier",
    "What the throughput of a block is of is counted as bytes; traffic is what servers have sent and received, as they count it.",
    folded("As a table", table(columns, data.counters)));
}

/** The ring that the nodes formed; of several stages the last one's. */
function ringPicture() {
  const { ring } = data.config;
  if (!ring) return [];
  const columns = [
    { title: "nodes", value: r => number(r.nodes) }, { title: "replica sets", value: r => number(r.replicaSets) },
    { title: "arcs led, most ÷ mean", value: r => number(r.primaryImbalance) },
    { title: "copies, most ÷ mean", value: r => number(r.copiesImbalance) },
  ];
  return section("Ring",
    "A replica set is a group of nodes that keep some arc together. Outer band: the node that leads the arc; inner bands: redundant copies.",
    table(columns, [ring]),
    ring.arcs.length ? el("div", { class: "charts" }, chart("Arcs and their nodes", "", place => drawRing(place, ring), ringKeys(ring))) : null);
}

/** Everything that repeats the run; nested values below their name. */
function configuration() {
  const rows = [];
  const walk = (value, name) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      Object.entries(value).forEach(([key, inner]) => walk(inner, name ? `${name}.${key}` : key));
    } else if (value !== undefined) {
      rows.push({ name, value: Array.isArray(value) ? JSON.stringify(value) : String(value) });
    }
  };
  // the ring has a section of its own
  walk({ ...data.config, ring: undefined }, "");
  const nested = row => row.name.includes(".");
  const columns = [{ title: "setting", text: true, value: r => r.name }, { title: "value", text: true, long: true, value: r => r.value }];
  return section("Configuration, versions, hardware", "",
    table(columns, rows.filter(row => !nested(row))),
    rows.some(nested) ? folded("Tables and server settings", table(columns, rows.filter(nested))) : null);
}

report.append(
  hatchings(data.arms), ...header(), ...figures(), ...series(),
  ...(data.throughput.length || data.timeline.seconds.length
    ? [legend(), ...throughput(), ...recoveries(), ...latencies(), ...overTime(), ...amplification(), ...breakdowns(), ...tradeOffs(), ...counters(), ...costs()]
    : section("Blocks", "No block was measured.")),
  ...ringPicture(), ...configuration());

let drawnWidth = 0;
new ResizeObserver(() => {
  if (report.clientWidth !== drawnWidth) {
    drawnWidth = report.clientWidth;
    // drawing changes heights, which must not happen while they are observed
    requestAnimationFrame(redraw);
  }
}).observe(report);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
