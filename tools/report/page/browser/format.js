// Numbers as texts: durations with a suitable unit, counts in groups of three, shares in per cent.

const kUnits = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];

/// Returns the largest unit in which `seconds`, rounded to `digits` digits, is at least one: [its seconds, its name].
export function unitOf(seconds, digits = 15) {
  const size = Math.abs(seconds);
  const found = kUnits.find(([unit]) => Number((size / unit).toPrecision(digits)) >= 1);
  return found ?? (size === 0 ? kUnits[0] : kUnits.at(-1));
}

/// Formats a duration with `digits` significant digits.
export function duration(seconds, digits = 4) {
  const [unit, name] = unitOf(seconds, digits);
  return `${plain(seconds / unit, digits)}\u00a0${name}`;
}

/// Formats a number without exponent and without trailing zeros.
export function plain(value, digits = 4) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.min(12, Math.max(0, digits - 1 - magnitude));
  return value.toLocaleString("en-GB", {maximumFractionDigits: decimals});
}

export function count(value) {
  return value.toLocaleString("en-GB");
}

/// Formats a count with its noun: "1 node", "8,192 nodes".
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function percent(share) {
  return `${(100 * share).toFixed(1)}\u00a0%`;
}

/// Turns a key into words: "bus_wait_s" becomes "bus wait".
export function words(key) {
  return key.replace(/_s$/, "").replaceAll("_", " ");
}
