// Numbers and elements as every part of the page shows them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (value) => whole.format(value);
export const short = (value) => compact.format(value);
export const percent = (fraction) => (fraction * 100).toFixed(1) + " %";
/** Three digits, or more of a large number. */
export const fine = (value) => (Math.abs(value) < 100 ? digits : whole).format(value);
/** Milliseconds; answers of the memory tier take fractions of one. */
export const millis = (micros) => (micros / 1000).toFixed(micros < 1000 ? 2 : micros < 100_000 ? 1 : 0);

export function duration(seconds) {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

export function clock(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

/** An HTML element with a class and children, which may be texts. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** An SVG element with attributes. */
export function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
