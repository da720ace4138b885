/** Largest buffer that is reused for the next text. */
const REUSED_BYTES = 256 * 1024;
/** Bodies from this on are bytes: a socket would copy their text again and again. Shorter ones go out with their headers in one piece. */
const LONG_BYTES = 16 * 1024;
/** Up to this size a loop is faster than a call into Node.js. */
const SHORT = 48;
const ZERO = 0x30;

/**
 * JSON being written, as UTF-8 bytes. A string joined from thousands of small ones would cost the same again when
 * they are made one.
 */
export class JsonText {
  bytes: Buffer = Buffer.allocUnsafeSlow(REUSED_BYTES / 4);
  /** The same bytes, for bulk writes. */
  view = viewOf(this.bytes);
  length = 0;
  /** Whether bytes that are not UTF-8 become U+FFFD where a string has to be UTF-8; they are refused otherwise. */
  readonly replacesInvalid: boolean;
  /** Bytes that are not UTF-8 were replaced. */
  hasReplaced = false;
  #isAscii = true;

  constructor(replacesInvalid = false) {
    this.replacesInvalid = replacesInvalid;
  }

  /** Reserves space for this many further bytes. */
  reserve(bytes: number): void {
    if (this.length + bytes > this.bytes.length) this.#grow(this.length + bytes);
  }

  put({ bytes, words }: JsonPart): void {
    this.reserve(words.length * WORD_BYTES);
    const { view } = this;
    let to = this.length;
    for (let at = 0; at < words.length; at += 1, to += WORD_BYTES) view.setInt32(to, words[at] ?? 0, true);
    // The last word may extend beyond the part.
    this.length += bytes.length;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Text of ASCII alone, or of one character for each byte. */
  ascii(text: string): void {
    this.reserve(text.length);
    if (text.length > SHORT) {
      this.length += this.bytes.write(text, this.length, 'latin1');
      return;
    }
    const { bytes } = this;
    let to = this.length;
    for (let at = 0; at < text.length; at += 1) bytes[to++] = text.charCodeAt(at);
    this.length = to;
  }

  /** This many digits of a whole number of 31 bits, with leading zeros. */
  digits(number: number, count: number): void {
    this.reserve(count);
    const { bytes } = this;
    const start = this.length;
    let rest = number | 0;
    for (let at = start + count - 1; at >= start; at -= 1) {
      const tenth = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.length = start + count;
  }

  /** Any text. */
  text(text: string): void {
    // A character takes three bytes at most.
    this.reserve(text.length > SHORT ? Buffer.byteLength(text) : text.length * 3);
    const written = this.bytes.write(text, this.length);
    if (written !== text.length) this.#isAscii = false;
    this.length += written;
  }

  /** Whether the output since `start` equals this part. */
  is(start: number, { bytes }: JsonPart): boolean {
    if (this.length - start !== bytes.length) return false;
    for (let at = 0; at < bytes.length; at += 1) if (this.bytes[start + at] !== bytes[at]) return false;
    return true;
  }

  /** Removes the output since `start`, and returns it with one character for each byte. */
  cut(start: number): string {
    const text = this.bytes.toString('latin1', start, this.length);
    this.length = start;
    return text;
  }

  clear(): void {
    this.length = 0;
    this.hasReplaced = false;
    this.#isAscii = true;
  }

  /** All of it. */
  take(): string {
    const text = this.bytes.toString(this.#isAscii ? 'latin1' : 'utf8', 0, this.length);
    this.#giveBack();
    return text;
  }

  /** All of it as a body is sent best: a text, or the bytes of a long one. */
  takeBody(): string | Buffer {
    if (this.length < LONG_BYTES) return this.take();
    const bytes = Buffer.from(this.bytes.subarray(0, this.length));
    this.#giveBack();
    return bytes;
  }

  /** Larger buffers are not reused. */
  #giveBack(): void {
    if (this.bytes.length > REUSED_BYTES) this.#move(Buffer.allocUnsafeSlow(REUSED_BYTES / 4));
  }

  #grow(bytes: number): void {
    const wider = Buffer.allocUnsafeSlow(Math.max(bytes, this.bytes.length * 2));
    this.bytes.copy(wider, 0, 0, this.length);
    this.#move(wider);
  }

  #move(bytes: Buffer): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

/** A frequently written text, also as words of four bytes, which are written at once. */
export interface JsonPart {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

const WORD_BYTES = 4;

export function jsonPart(text: string): JsonPart {
  return partOfBytes(Buffer.from(text));
}

/** Several parts as one. */
export function joinParts(parts: readonly JsonPart[]): JsonPart {
  return partOfBytes(Buffer.concat(parts.map(({ bytes }) => bytes)));
}

function partOfBytes(bytes: Uint8Array): JsonPart {
  const words = new Int32Array(Math.ceil(bytes.length / WORD_BYTES));
  const padded = Buffer.alloc(words.length * WORD_BYTES);
  padded.set(bytes);
  for (let at = 0; at < words.length; at += 1) words[at] = padded.readInt32LE(at * WORD_BYTES);
  return { bytes: new Uint8Array(bytes), words };
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
