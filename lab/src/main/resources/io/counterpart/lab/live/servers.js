// The memcached servers of each arm: one square each, a line for each ring.
import { count, element } from "./format.js";

const STATES = ["up", "restoring", "joining", "down", "spare"];

export class Servers {
  #byArm = new Map();

  start() {
    this.#byArm.clear();
    this.#draw();
  }

  show({ arm, servers }) {
    this.#byArm.set(arm, servers);
    this.#draw();
  }

  #draw() {
    document.getElementById("servers-card").hidden = this.#byArm.size === 0;
    document.getElementById("servers").replaceChildren(...[...this.#byArm].map(([arm, servers]) => this.#arm(arm, servers)));
    const present = STATES.filter((state) => [...this.#byArm.values()].flat().some((server) => server.state === state));
    document.getElementById("server-states").replaceChildren(...present.map((state) =>
      element("span", "", element("i", `server ${state}`), state)));
  }

  #arm(arm, servers) {
    const used = servers.filter((server) => server.state !== "spare");
    const up = used.filter((server) => server.state === "up").length;
    const made = element("div", "arm-servers", element("p", "", `${arm} `,
      element("span", "quiet", up === used.length ? `${count(up)} servers up` : `${count(up)} of ${count(used.length)} servers up`)));
    const lines = new Map();
    for (const server of servers) {
      const line = lineOf(server, servers);
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line).push(server);
    }
    // rings first, what is in none last
    const names = [...lines.keys()].sort((a, b) =>
      b.startsWith("ring") - a.startsWith("ring") || a.localeCompare(b, "en", { numeric: true }));
    for (const name of names) {
      made.append(element("div", "ring-line", element("span", "quiet", name),
        element("span", "", ...lines.get(name).map((server) => square(server)))));
    }
    return made;
  }
}

/** The name of a server's line: its ring, unless every ring has one server only. */
function lineOf(server, servers) {
  if (server.ring < 0) return server.state === "up" ? "servers" : "not in a ring";
  const rings = servers.map((other) => other.ring).filter((ring) => ring >= 0);
  return new Set(rings).size === rings.length ? "rings of one" : `ring ${server.ring + 1}`;
}

function square(server) {
  const made = element("i", `server ${server.state}`);
  made.title = `${server.address}: ${server.state}`;
  made.dataset.server = server.address;
  return made;
}
