import { resolveFieldPath } from '../fields/field-path.js';
import { decodeQueryPart } from '../template/percent-decoding.js';
import type { RequestDraft } from './request-draft.js';
import type { Violation } from './violation.js';

export type QueryPair = readonly [name: string, value: string];

/** The handling of a parameter without a field in the request message. */
export type UnknownQuery = 'ignore' | 'warn' | 'reject';

export type ParsedQuery = { readonly pairs: readonly QueryPair[] } | { readonly violations: readonly Violation[] };

/** Splits a raw query (without `?`) into decoded pairs, in order. A bad escape is a violation. */
export function parseQuery(raw: string): ParsedQuery {
  const pairs: QueryPair[] = [];
  const violations: Violation[] = [];
  if (raw === '') return { pairs };
  for (const part of raw.includes('&') ? raw.split('&') : [raw]) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decodeQueryPart(equals < 0 ? part : part.slice(0, equals));
    const value = decodeQueryPart(equals < 0 ? '' : part.slice(equals + 1));
    if (name === undefined || value === undefined) {
      violations.push({ field: name ?? 'query', description: 'has an escape that is cut short or is not UTF-8' });
    } else {
      pairs.push([name, value]);
    }
  }
  return violations.length > 0 ? { violations } : { pairs };
}

/** Binds each parameter to its field. `ignored` names the ignored parameters, each once. */
export function bindQuery(
  draft: RequestDraft,
  query: readonly QueryPair[],
  unknown: UnknownQuery,
): { violations: Violation[]; ignored: string[] } {
  const violations: Violation[] = [];
  const ignored = new Set<string>();
  for (const [name, value] of query) {
    const resolved = resolveFieldPath(draft.desc, name);
    if ('unknown' in resolved) {
      if (unknown === 'reject') violations.push({ field: name, description: 'is not a parameter of this method' });
      else ignored.add(name);
    } else if ('problem' in resolved) {
      violations.push({ field: name, description: resolved.problem });
    } else if (draft.isClaimed(resolved.path)) {
      ignored.add(name);
    } else {
      const description = draft.add(resolved.path, value);
      if (description !== undefined) violations.push({ field: name, description });
    }
  }
  return { violations, ignored: [...ignored] };
}
