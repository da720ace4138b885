import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';

/** A header that has one value. */
export function onlyHeader(headers: HeaderPairs, name: string, violations: Violation[]): string | undefined {
  const lower = name.toLowerCase();
  let found: string | undefined;
  for (const [header, value] of headers) {
    if (header.length !== lower.length || header.toLowerCase() !== lower) continue;
    if (found !== undefined) violations.push({ field: name, description: 'is given more than once' });
    found ??= value;
  }
  return found;
}
