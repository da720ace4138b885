import type { DescMessage } from '@bufbuild/protobuf';
import { isHeight } from '@mlango/cosmos-rest/heights';
import { parseQuery } from '@mlango/transcoder/bind-query';
import { findField } from '@mlango/transcoder/field-path';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';

export type ReadWatch =
  | {
      /** False for `watch=0`. */
      readonly isWatch: boolean;
      /** The last block that the client received; only later events are sent. */
      readonly from: number | undefined;
      /** The query without `watch` and `from`. */
      readonly rawQuery: string;
    }
  | { readonly violations: readonly Violation[] };

/**
 * Removes `watch` and `from` from a query; `undefined` without them. A request field of the same name has precedence.
 * `Last-Event-ID`, which browsers send on reconnect, overrides `from`.
 */
export function readWatch(
  rawQuery: string,
  headers: HeaderPairs,
  input: DescMessage | undefined,
): ReadWatch | undefined {
  // Most queries, which need no parsing.
  if (!rawQuery.includes('watch')) return undefined;
  const violations: Violation[] = [];
  const found = new Map<string, string>();
  const rest = rawQuery.split('&').filter((part) => {
    const parsed = parseQuery(part);
    const [name, value] = ('pairs' in parsed ? parsed.pairs[0] : undefined) ?? ['', ''];
    if ((name !== 'watch' && name !== 'from') || (input !== undefined && findField(input, name) !== undefined))
      return true;
    if (found.has(name)) violations.push({ field: name, description: 'is given more than once' });
    found.set(name, value);
    return false;
  });
  const watch = found.get('watch');
  if (watch === undefined) return undefined;
  const isWatch = /^(?:1|true|)$/.test(watch);
  if (!isWatch && !/^(?:0|false)$/.test(watch)) violations.push({ field: 'watch', description: 'must be 1 or 0' });
  const last = headers.find(([name]) => name.toLowerCase() === 'last-event-id')?.[1];
  const from = last || found.get('from');
  if (from !== undefined && !isHeight(from)) {
    violations.push({ field: last ? 'last-event-id' : 'from', description: 'must be a block height' });
  }
  if (violations.length > 0) return { violations };
  return { isWatch: isWatch, from: from === undefined ? undefined : Number(from), rawQuery: rest.join('&') };
}
