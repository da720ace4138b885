export type Header = readonly [name: string, value: string];

/** HPACK encoder with the dynamic table, as Node's HTTP/2 sends headers. Source: RFC 7541. */
export class HeaderTable {
  /** Sequence number of each header in the table, by its text. */
  readonly #numbers = new Map<string, number>();
  /** Sequence number of the latest header of each name. */
  readonly #namedNumbers = new Map<string, number>();
  readonly #entries: { readonly text: string; readonly name: string; readonly bytes: number }[] = [];
  #bytes = 0;
  #count = 0;
  readonly #out = Buffer.alloc(OUT_BYTES);
  #at = 0;

  /** @param headers names in lower case */
  encode(headers: readonly Header[]): Buffer {
    this.#at = 0;
    for (const [name, value] of headers) this.#put(name, value);
    return Buffer.from(this.#out.subarray(0, this.#at));
  }

  #put(name: string, value: string): void {
    const text = `${name}\n${value}`;
    const known = STATIC.get(text) ?? this.#place(this.#numbers.get(text));
    if (known !== undefined) {
      this.#number(0x80, 7, known);
      return;
    }
    const named = STATIC_NAMES.get(name) ?? this.#place(this.#namedNumbers.get(name));
    this.#number(0x40, 6, named ?? 0);
    if (named === undefined) this.#text(name);
    this.#text(value);
    this.#add(text, name, value);
  }

  #place(number: number | undefined): number | undefined {
    return number === undefined ? undefined : STATIC_SIZE + this.#count - number;
  }

  #add(text: string, name: string, value: string): void {
    const bytes = name.length + value.length + 32;
    while (this.#bytes + bytes > TABLE_BYTES) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      const number = this.#numbers.get(oldest.text);
      this.#numbers.delete(oldest.text);
      if (this.#namedNumbers.get(oldest.name) === number) this.#namedNumbers.delete(oldest.name);
    }
    this.#entries.push({ text, name, bytes });
    this.#bytes += bytes;
    this.#numbers.set(text, this.#count);
    this.#namedNumbers.set(name, this.#count);
    this.#count += 1;
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

  /** Digits, such as a height, in Huffman code; other texts, which are rare, without. */
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
