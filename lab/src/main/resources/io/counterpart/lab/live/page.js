// Follows the events of a run and shows them. What is shown is what was sent: nothing is kept
// between two connections, the server tells everything again.
import { Charts } from "./charts.js";
import { clock, count, duration, element, fine, millis } from "./format.js";
import { Ring } from "./ring.js";
import { Servers } from "./servers.js";

const LOG_LINES = 300;
const BLOCK_ROWS = 300;
const at = (id) => document.getElementById(id);

const charts = new Charts();
const ring = new Ring();
const servers = new Servers();
let run = null;
let awaitsFrame = false;

function start() {
  run = { step: null, done: 0, second: 0, measured: 0, expected: 0, startedSecond: 0, finished: null };
  at("blocks").replaceChildren();
  at("log").replaceChildren();
  at("outcome").hidden = true;
  charts.start();
  servers.start();
}

const on = {
  hello: () => {
    start();
    state("live", "live");
  },
  started: (value, second) => {
    run.expected = value.blocks;
    run.startedSecond = second;
    document.title = `${value.name} · Counterpart lab`;
    at("title").textContent = value.title;
    at("paper").textContent = `${value.name} · ${value.paper}`;
    charts.know(value.arms, value.measures);
    // an experiment of the memory tier has no tables, and so no ring of theirs
    at("ring-card").hidden = value.ring === null;
    document.body.classList.toggle("of-tier", value.ring === null);
    if (value.ring) ring.show(value.ring);
  },
  servers: (value) => servers.show(value),
  line: (value, second) => {
    run.step = { label: value, total: 0, second };
    line(value, second);
  },
  step: (value, second) => {
    run.step = { ...value, second };
    run.done = 0;
    line(value.label, second);
  },
  progress: (value, second) => {
    run.done = value;
    run.second = second;
  },
  sample: (value) => charts.add(value),
  block: (value, second) => {
    run.measured++;
    charts.endBlock();
    run.second = second;
    at("blocks").prepend(row(value));
    if (at("blocks").rows.length > BLOCK_ROWS) at("blocks").lastElementChild.remove();
  },
  finished: (value) => {
    run.finished = value;
  },
  end: () => {
    events.close();
    end();
  },
};

const events = new EventSource("/events");
for (const [type, handle] of Object.entries(on)) {
  events.addEventListener(type, (event) => {
    const { value, second } = JSON.parse(event.data);
    handle(value, second);
    show();
  });
}
events.onerror = () => state("lost", "connection lost, trying again");

function state(name, text) {
  at("state").className = `state ${name}`;
  at("state").textContent = text;
}

function end() {
  const result = run.finished;
  const outcome = at("outcome");
  outcome.hidden = false;
  run.step = null;
  if (!result) {
    state("broken", "ended");
    outcome.className = "outcome bad";
    outcome.textContent = "The run broke off; the terminal says why.";
    return;
  }
  const clean = result.lost + result.wrong + result.unread === 0;
  state(clean ? "finished" : "broken", "finished");
  outcome.className = clean ? "outcome" : "outcome bad";
  outcome.textContent = `finished: ${count(result.checked)} values checked, ${count(result.lost)} lost, `
    + `${count(result.wrong)} wrong, ${count(result.unread)} unread; ${duration(result.seconds)}`;
}

function line(text, second) {
  const log = at("log");
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
  log.append(element("div", "", element("time", "", clock(second)), text));
  if (log.childElementCount > LOG_LINES) log.firstElementChild.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function row(block) {
  const latencies = Object.entries(block.latencies).map(([kind, latency]) =>
    element("div", "", `${millis(latency.p50Micros)} / ${millis(latency.p99Micros)} `,
      element("span", "kind", kind.replaceAll("_", " "))));
  const perSecond = block.seconds === 0 ? 0 : block.operations / block.seconds;
  const number = (text) => element("td", "n", text);
  return element("tr", "",
    element("td", "", block.arm), element("td", "", block.phase), number(String(block.repeat + 1)),
    number(count(perSecond)), element("td", "n tier", megabytes(block)), element("td", "", ...latencies),
    number(block.server.cpuSeconds.toFixed(1)), number(count(block.failed)));
}

// of blocks that are about bytes: moved, held by a restored server, encoded
function megabytes(block) {
  const bytes = block.counters.bytes ?? 0;
  return bytes > 0 && block.seconds > 0 ? fine(bytes / block.seconds / 1e6) : "–";
}

// at most once a frame, and not at all in a hidden tab
function show() {
  if (awaitsFrame) return;
  awaitsFrame = true;
  requestAnimationFrame(() => {
    awaitsFrame = false;
    showStep();
    showRun();
    charts.draw();
  });
}

function showStep() {
  const step = run.step;
  const over = step === null;
  at("step").textContent = over ? "nothing more to do" : step.label;
  at("step-left").textContent = "";
  const bar = at("step-bar");
  if (!over && step.total === 0) {
    bar.removeAttribute("value");
    at("step-left").textContent = "no estimate";
    return;
  }
  bar.value = over ? 1 : Math.min(1, run.done / step.total);
  if (!over && run.done > 0 && run.second > step.second) {
    // a check reads inserted rows too, which the step did not count on
    const total = Math.max(step.total, run.done);
    const left = (run.second - step.second) * (total / run.done - 1);
    at("step-left").textContent = `${count(run.done)} of ${count(total)}, ${duration(left)} left`;
  }
}

function showRun() {
  const { measured, expected } = run;
  const blocks = measured < expected ? `block ${measured + 1} of ${expected}` : `${measured} of ${expected} blocks`;
  at("run").textContent = expected ? blocks : "whole run";
  at("run-bar").value = run.finished ? 1 : expected ? measured / expected : 0;
  if (run.finished || !expected) {
    at("run-left").textContent = "";
    return;
  }
  // loads and reads differ: a rough guess, which is why it says so
  const left = (run.second - run.startedSecond) * (expected / measured - 1);
  at("run-left").textContent = measured > 0 && measured < expected ? `about ${duration(left)} left` : "";
}
