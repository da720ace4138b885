import { randomFillSync } from 'node:crypto';

const idBytes = 16;

/** Random bytes in stock: asking for so few at a time costs ten times as much. */
const stock = Buffer.alloc(128 * idBytes);
let used = stock.length;

/**
 * 128 random bits as 22 characters of base64url: a name that nobody else has or can guess. One text in one piece, for sessions keep them;
 * Node's `randomUUID` gives one that is put together of sixteen, and stays so.
 */
export function randomId(): string {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += idBytes;
  return stock.toString('base64url', used - idBytes, used);
}
