export type Header = readonly [name: string, value: string];

/** As Node's own HTTP/2 and others send headers: each enters the table that both sides keep, and is named by its place while it is there. Source: RFC 7541. */
export class HeaderTable {
  /** When each header in the table came, by its text. */
  readonly #cameAt = new Map<string, number>();
  /** The name of a header that came last under it. */
  readonly #namedAt = new Map<string, number>();
  readonly #entries: { readonly text: string; readonly name: string; readonly bytes: number }[] = [];
  #bytes = 0;
  #came = 0;
  readonly #out = Buffer.alloc(OUT_BYTES);
  #at = 0;

  /** Names in lower case; the name of a known status or of a content type has a place of its own. */
  encode(headers: readonly Header[]): Buffer {
    this.#at = 0;
    for (const [name, value] of headers) this.#put(name, value);
    return Buffer.from(this.#out.subarray(0, this.#at));
  }

  #put(name: string, value: string): void {
    const text = `${name}\n${value}`;
    const known = STATIC.get(text) ?? this.#place(this.#cameAt.get(text));
    if (known !== undefined) {
      this.#number(0x80, 7, known);
      return;
    }
    const named = STATIC_NAMES.get(name) ?? this.#place(this.#namedAt.get(name));
    this.#number(0x40, 6, named ?? 0);
    if (named === undefined) this.#text(name);
    this.#text(value);
    this.#keep(text, name, value);
  }

  #place(cameAt: number | undefined): number | undefined {
    return cameAt === undefined ? undefined : STATIC_SIZE + this.#came - cameAt;
  }

  #keep(text: string, name: string, value: string): void {
    const bytes = name.length + value.length + 32;
    while (this.#bytes + bytes > TABLE_BYTES) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      const cameAt = this.#cameAt.get(oldest.text);
      this.#cameAt.delete(oldest.text);
      if (this.#namedAt.get(oldest.name) === cameAt) this.#namedAt.delete(oldest.name);
    }
    this.#entries.push({ text, name, bytes });
    this.#bytes += bytes;
    this.#cameAt.set(text, this.#came);
    this.#namedAt.set(name, this.#came);
    this.#came += 1;
  }

  #number(first: number, bits: number, value: number): void {
    const most = (1 << bits) - 1;
    if (value < most) {
      this.#out[this.#at++] = first | value;
      return;
    }
    this.#out[this.#at++] = first | most;
    let rest = value - most;
    for (; rest >= 0x80; rest >>= 7) this.#out[this.#at++] = (rest & 0x7f) | 0x80;
    this.#out[this.#at++] = rest;
  }

  /** Digits by Huffman's code, as a height comes; other texts, which come once in a while, as they are. */
  #text(text: string): void {
    if (!/^[0-9]+$/.test(text)) {
      this.#number(0, 7, text.length);
      this.#at += this.#out.write(text, this.#at, 'latin1');
      return;
    }
    let length = 0;
    for (const digit of text) length += digit < '3' ? 5 : 6;
    this.#number(0x80, 7, Math.ceil(length / 8));
    let [bits, count] = [0, 0];
    for (const digit of text) {
      const value = Number(digit);
      bits = value < 3 ? (bits << 5) | value : (bits << 6) | (FIRST_OF_SIX_BITS + value - 3);
      count += value < 3 ? 5 : 6;
      for (; count >= 8; count -= 8) this.#out[this.#at++] = (bits >> (count - 8)) & 0xff;
      bits &= (1 << count) - 1;
    }
    if (count > 0) this.#out[this.#at++] = (bits << (8 - count)) | ((1 << (8 - count)) - 1);
  }
}

const OUT_BYTES = 4096;
/** The code of 3; those of 0 to 2 have five bits and are the numbers themselves. */
const FIRST_OF_SIX_BITS = 0x19;
const TABLE_BYTES = 4096;
const STATIC_SIZE = 61;
const STATIC: ReadonlyMap<string, number> = new Map([[':status\n200', 8]]);
const STATIC_NAMES: ReadonlyMap<string, number> = new Map([
  ['content-type', 31],
  ['date', 33],
]);
