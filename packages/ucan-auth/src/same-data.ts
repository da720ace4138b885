import { isLink } from 'multiformats/link';

/** Whether two decoded values are the same data. Bytes and links compare by content. */
export function sameData(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (isLink(left) || isLink(right)) return isLink(left) && isLink(right) && left.toString() === right.toString();
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const entries = Object.entries(left);
  const others = new Map(Object.entries(right));
  return (
    entries.length === others.size && entries.every(([key, item]) => others.has(key) && sameData(item, others.get(key)))
  );
}
