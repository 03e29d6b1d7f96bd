// Lines over percentiles and over time, drawn by uPlot.
"use strict";

const AXIS_FONT = "12px system-ui, sans-serif";

/** An axis in the page's colours. */
function axis(more) {
  const soft = colour("--soft"), grid = colour("--grid");
  return {
    stroke: soft, font: AXIS_FONT, labelFont: AXIS_FONT, labelSize: 20,
    grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 5 }, ...more,
  };
}

/** The line of an arm; a value without neighbours is a point, which a line would not show. */
function armSeries(style) {
  const stroke = colour(hueOf(style));
  return { label: style.name, stroke, width: 2, dash: dashOf(style), points: lonePoints(stroke) };
}

function lonePoints(stroke) {
  return {
    size: 5, fill: stroke, stroke, show: true,
    filter: (plot, series) => {
      const values = plot.data[series];
      const empty = i => values[i] === null || values[i] === undefined;
      return values.flatMap((value, i) => (!empty(i) && empty(i - 1) && empty(i + 1) ? [i] : []));
    },
  };
}

/** What the lines have where the pointer is. */
function pointerTip(title, unit) {
  let tip;
  return {
    hooks: {
      init: plot => { tip = el("div", { class: "tip", hidden: "" }); plot.over.append(tip); },
      setCursor: plot => {
        const { idx, left, top } = plot.cursor;
        const lines = idx === null || idx === undefined || left < 0 ? [] : plot.series.slice(1)
          .map((series, i) => ({ series, value: plot.data[i + 1][idx] }))
          .filter(line => line.value !== null && line.value !== undefined);
        tip.hidden = lines.length === 0;
        if (tip.hidden) return;
        lines.sort((a, b) => b.value - a.value);
        tip.replaceChildren(el("b", {}, title(plot.data[0][idx])), ...lines.map(({ series, value }) =>
          el("div", {}, el("i", { style: `background: ${series.stroke()}` }), `${series.label} ${number(value)} ${unit}`)));
        const beyond = left > plot.over.clientWidth / 2;
        tip.style.left = beyond ? "auto" : `${left + 14}px`;
        tip.style.right = beyond ? `${plot.over.clientWidth - left + 14}px` : "auto";
        tip.style.top = `${Math.max(0, Math.min(top - 20, plot.over.clientHeight - tip.offsetHeight))}px`;
      },
    },
  };
}

/** The quantile of a number of nines: 2 is 99. */
const percentile = nines => Number((100 * (1 - 10 ** -nines)).toPrecision(Math.max(3, Math.ceil(nines) + 2)));

/** Latency percentiles, with as much room for 99 to 99.9 as for 90 to 99. */
function drawLatencies(place, chart, styles) {
  const curves = chart.curves.filter(curve => styles.has(curve.arm));
  if (curves.length === 0) return;
  const last = Math.max(1, chart.nines[chart.nines.length - 1]);
  const marks = [Math.log10(2), 1, 2, 3, 4, 5, 6, 7].filter(mark => mark <= last);
  new uPlot({
    width: place.clientWidth, height: 270, legend: { show: false },
    cursor: { drag: { setScale: false, x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: [0, last] },
      y: { distr: 3, range: (plot, low, high) => (low > 0 ? [low / 1.15, high * 1.15] : [1, 10]) },
    },
    axes: [
      axis({ label: "percentile (log axis)", size: 32, splits: () => marks, values: (plot, ticks) => ticks.map(mark => `${percentile(mark)} %`) }),
      axis({
        label: "latency, ms (log axis)", size: 52,
        splits: (plot, i, low, high) => logTicks(low, high, 9), filter: (plot, ticks) => ticks,
        values: (plot, ticks) => ticks.map(tick),
      }),
    ],
    series: [{}, ...curves.map(curve => armSeries(styles.get(curve.arm)))],
    plugins: [pointerTip(nines => `${percentile(nines)} %`, "ms")],
  }, [chart.nines, ...curves.map(curve => curve.millis)], place);
}

/** Phases as bands with their names, where those have room. */
function phaseBands(spans) {
  return {
    hooks: {
      drawClear: plot => {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        ctx.font = `${12 * uPlot.pxRatio}px system-ui, sans-serif`;
        ctx.textAlign = "center";
        ctx.textBaseline = "top";
        spans.forEach((span, i) => {
          const from = plot.valToPos(span.from - 0.5, "x", true), to = plot.valToPos(span.to + 0.5, "x", true);
          if (i % 2 === 0) {
            ctx.fillStyle = colour("--grid");
            ctx.globalAlpha = 0.6;
            ctx.fillRect(from, bbox.top, to - from, bbox.height);
            ctx.globalAlpha = 1;
          }
          if (ctx.measureText(span.phase).width < to - from) {
            ctx.fillStyle = colour("--soft");
            ctx.fillText(span.phase, (from + to) / 2, bbox.top + 3);
          }
        });
        ctx.restore();
      },
    },
  };
}

/** One measure over the run; {label, unit, lines: [{series, values}]}. */
function drawOverTime(place, timeline, { label, unit, lines }) {
  if (lines.length === 0) return;
  new uPlot({
    width: place.clientWidth, height: 240, legend: { show: false },
    cursor: { sync: { key: "time" }, drag: { x: true, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false },
      // room for the names of the phases, and never a scale without height
      y: { range: (plot, low, high) => [0, Math.max(1, (high || 0) * 1.15)] },
    },
    axes: [
      axis({ label: "s since the run began", size: 32, values: (plot, ticks) => ticks.map(tick) }),
      axis({ label, size: 60, values: (plot, ticks) => ticks.map(tick) }),
    ],
    series: [{}, ...lines.map(line => line.series)],
    plugins: [phaseBands(timeline.spans), pointerTip(second => `${duration(second)} into the run`, unit)],
  }, [timeline.seconds, ...lines.map(line => line.values)], place);
}
