/** What a JSON text holds; undefined for a text that is none. Pure. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
