// Numbers for people: durations with a unit that suits them, counts in groups of three, shares in per cent.

const kUnits = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];

/// The unit in which `seconds` reads best: [its seconds, its name].
export function unitOf(seconds) {
  const size = Math.abs(seconds);
  return kUnits.find(([unit]) => size >= unit) ?? (size === 0 ? kUnits[0] : kUnits.at(-1));
}

/// Six significant digits at most.
export function duration(seconds, digits = 4) {
  const [unit, name] = unitOf(seconds);
  return `${plain(seconds / unit, digits)}\u00a0${name}`;
}

/// Without exponent, without zeros behind the last digit.
export function plain(value, digits = 4) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.min(12, Math.max(0, digits - 1 - magnitude));
  return value.toLocaleString("en-GB", {maximumFractionDigits: decimals});
}

export function count(value) {
  return value.toLocaleString("en-GB");
}

/// "1 node", "8,192 nodes".
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function percent(share) {
  return `${(100 * share).toFixed(1)}\u00a0%`;
}

/// "bus wait" of "bus_wait_s".
export function words(key) {
  return key.replace(/_s$/, "").replaceAll("_", " ");
}
