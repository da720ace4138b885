/** A double as proto3 JSON: NaN and the infinities are strings. */
export function printDouble(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

const MAX_FLOAT = 3.4028234663852886e38;

/** A float with the fewest digits that identify it: 0.1, not 0.10000000149011612. */
export function printFloat(value: number): string {
  if (!Number.isFinite(value)) return printDouble(value);
  for (let digits = 6; digits <= 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    // Rounded up beyond the largest float, a strict reader would refuse it.
    if (Math.fround(rounded) === value && Math.abs(rounded) <= MAX_FLOAT) return printDouble(rounded);
  }
  return printDouble(value);
}

/** Nanoseconds as the fraction of a second, with 0, 3, 6 or 9 digits. */
export function printFraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = fractionDigits(nanos);
  return `.${String(nanos / 10 ** (9 - digits)).padStart(digits, '0')}`;
}

/** How many digits nanoseconds take, that are some, as the fraction of a second: 3, 6 or 9. */
export function fractionDigits(nanos: number): number {
  if (nanos % 1000 !== 0) return 9;
  return nanos % 1_000_000 === 0 ? 3 : 6;
}
