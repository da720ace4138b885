import { StringDecoder } from 'node:string_decoder';

// A line without an end must not fill the memory.
const LONGEST_LINE = 64 * 1024;
const COLOURS = [36, 33, 32, 35, 34];

/**
 * A label of fixed width, in colour if enabled.
 * @param {string} name
 * @param {{ width: number, index: number, colour: boolean }} style
 */
export function label(name, { width, index, colour }) {
  const text = `${name.padEnd(width)} | `;
  return colour ? `\u001b[${COLOURS[index % COLOURS.length]}m${text}\u001b[0m` : text;
}

/**
 * Splits a stream of bytes into lines.
 * @param {(line: string) => void} onLine
 * @returns {{ push: (bytes: Buffer) => void, end: () => void }}
 */
export function lineCutter(onLine) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  /** @param {string} text */
  const take = (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length <= LONGEST_LINE) return;
    onLine(rest);
    rest = '';
  };
  return {
    push: (bytes) => take(decoder.write(bytes)),
    end: () => {
      take(decoder.end());
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
