/**
 * The escapes that are decoded in a path variable of several segments. A variable of one segment is always decoded
 * whole. `all_except_reserved` is the rule of google/api/http.proto; `legacy` decodes the path before it is split.
 */
export type UnescapeMode = 'legacy' | 'all_except_reserved' | 'all_except_slash' | 'all';

const RESERVED = new Set(Buffer.from("!#$&'()*+,/:;=?@[]", 'latin1'));
const SLASH = new Set([0x2f]);
const NONE: ReadonlySet<number> = new Set();

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** True when every `%` starts a two-digit hexadecimal escape. */
export function hasOnlyGoodEscapes(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

/**
 * Decodes each escape once, except bytes in `preserved`, which are unchanged. `undefined` for an incomplete escape and for invalid
 * UTF-8.
 */
export function percentDecode(text: string, preserved: ReadonlySet<number> = NONE): string | undefined {
  if (!text.includes('%')) return text;
  if (!hasOnlyGoodEscapes(text)) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === '%') {
      const byte = Number.parseInt(text.slice(at + 1, at + 3), 16);
      if (preserved.has(byte)) bytes.push(...encoder.encode(text.slice(at, at + 3)));
      else bytes.push(byte);
      at += 3;
      continue;
    }
    const end = text.indexOf('%', at);
    const plain = end < 0 ? text.slice(at) : text.slice(at, end);
    for (const byte of encoder.encode(plain)) bytes.push(byte);
    at += plain.length;
  }
  try {
    return utf8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** The value of a path variable for its raw text. */
export function decodeVariable(raw: string, mode: UnescapeMode, manySegments: boolean): string | undefined {
  if (mode === 'legacy') return raw;
  if (!manySegments || mode === 'all') return percentDecode(raw);
  return percentDecode(raw, mode === 'all_except_reserved' ? RESERVED : SLASH);
}

/** One `name=value` part of a query: `+` is a space, escapes are decoded once. */
export function decodeQueryPart(raw: string): string | undefined {
  return percentDecode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}
