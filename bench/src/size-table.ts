import { readFileSync } from 'node:fs';

const page = new URL('../../docs/operations/redis.md', import.meta.url);

/** A row whose first cell is a name in code and whose second is a number of bytes. */
const row = /^\| `([a-z_]+)` \| ([\d,]+) \|/;

/** Bytes by name, as the page for operators has them: what they reckon with is what is checked. */
export function documentedSizes(): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    const [, name, bytes] = row.exec(line) ?? [];
    if (name !== undefined && bytes !== undefined) sizes.set(name, Number(bytes.replaceAll(',', '')));
  }
  return sizes;
}
