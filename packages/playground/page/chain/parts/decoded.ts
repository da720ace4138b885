/** A text within an answer that is readable when it is decoded. */
export interface Decoded {
  /** Its position: `pagination.next_key`. */
  readonly path: string;
  readonly text: string;
}

/** Shorter ones are read as base64 by chance: `approved` could be. */
const MIN_CHARS = 16;
const MAX_CHARS = 256 * 1024;
const MAX_FOUND = 50;
const MAX_VALUES = 20_000;

/** The base64 and `data:` values of a response as readable texts; binary values are left out. Pure. */
export function decodedIn(value: unknown): Decoded[] {
  const found: Decoded[] = [];
  let left = MAX_VALUES;
  const walk = (each: unknown, path: string): void => {
    if (found.length === MAX_FOUND || left-- <= 0) return;
    if (typeof each === 'string') {
      const text = readable(each);
      if (text !== undefined) found.push({ path, text });
    } else if (typeof each === 'object' && each !== null) {
      for (const [name, inner] of Object.entries(each)) walk(inner, path === '' ? name : `${path}.${name}`);
    }
  };
  walk(value, '');
  return found;
}

/** The text of base64 or `data:…;base64,…`, JSON indented; undefined for binary. Pure. */
export function readable(text: string): string | undefined {
  const base64 = text.replace(/^data:[\w.+/;=-]*;base64,/, '');
  if (base64.length < MIN_CHARS || base64.length > MAX_CHARS || base64.length % 4 !== 0) return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /\p{Cc}/u.test(text.replaceAll(/[\t\r\n]/g, '')) ? undefined : laidOut(text);
  } catch {
    return undefined;
  }
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
