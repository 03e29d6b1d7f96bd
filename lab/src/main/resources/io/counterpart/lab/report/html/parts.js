// The parts of the servers' time, as stacked bars.
"use strict";

// in the order of stacking: what writes, what reads, what both need
const PARTS = {
  commitLog: ["commit log", "--hue-6"],
  memtable: ["memtable", "--role-flushedRedundant"],
  flush: ["flush", "--hue-1"],
  compaction: ["compaction (of a tree)", "--hue-0"],
  align: ["splits, merges and batches by role", "--hue-2"],
  cache: ["key and row cache", "--role-primaryBatch"],
  index: ["filters and indexes", "--role-primaryTree"],
  data: ["data files", "--hue-5"],
  rowMerge: ["putting versions together", "--hue-3"],
  messages: ["CQL, coordination, messages", "--line"],
  other: ["other", "--grid"],
};
const SPARE_COLOURS = ["--hue-0", "--hue-1", "--hue-2", "--hue-3", "--hue-4", "--hue-5", "--hue-6", "--hue-7"];

const partName = part => (PARTS[part] ? PARTS[part][0] : part);

/** A part that this page does not know by name has a colour nevertheless, the same in every chart. */
function partColour(part) {
  const letters = [...part].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return `var(${PARTS[part] ? PARTS[part][1] : SPARE_COLOURS[letters % SPARE_COLOURS.length]})`;
}

/** The parts that charts have, each once, in the order of stacking. */
function partsOf(charts) {
  const found = new Set(charts.flatMap(chart => chart.rows.flatMap(row => Object.keys(row.parts).filter(part => row.parts[part] > 0))));
  const known = Object.keys(PARTS).filter(part => found.has(part));
  return [...known, ...[...found].filter(part => !known.includes(part))];
}

function drawBreakdown(place, chart, styles) {
  const parts = partsOf([chart]);
  const rows = chart.rows.map(row => ({ ...row, parts: Object.fromEntries(parts.map(part => [part, row.parts[part] ?? 0])) }));
  drawStacks(place, { ...chart, rows }, styles, {
    title: `time of threads, ${chart.unit}`, label: `Where the servers' time went in ${chart.phase}, by arm and part`, name: partName, colour: partColour,
  });
}
