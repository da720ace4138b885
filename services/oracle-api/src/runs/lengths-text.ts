/** Lengths as a short text: base 36, with a dot between two, and nothing for 0. */
export function lengthsText(lengths: readonly number[]): string {
  return lengths.map((length) => (length === 0 ? '' : length.toString(36))).join('.');
}

export function readLengths(text: string): number[] {
  return text.split('.').map((length) => (length === '' ? 0 : Number.parseInt(length, 36)));
}
