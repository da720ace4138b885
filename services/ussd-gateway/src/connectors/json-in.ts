/** Value of a JSON text, with or without a byte order mark; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}

/** Removes the byte order mark that some editors and frameworks add to a text. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
