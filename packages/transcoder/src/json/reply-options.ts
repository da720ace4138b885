import type { DescMessage } from '@bufbuild/protobuf';
import type { QueryPair } from '../bind/query.js';
import type { Violation } from '../bind/violation.js';
import { findField } from '../fields/field-path.js';
import { type FieldMask, parseFieldMask } from '../fields/parse-field-mask.js';
import type { JsonProfile } from './profile.js';

/** The requested form of the reply. */
export interface ReplyOptions {
  readonly profile: JsonProfile;
  readonly pretty: boolean;
  readonly mask: FieldMask | undefined;
  /** Paths of the mask the reply has no field for. */
  readonly unknownFields: readonly string[];
}

export type ReadReplyOptions =
  | { readonly options: ReplyOptions; readonly rest: readonly QueryPair[] }
  | { readonly violations: readonly Violation[] };

type Draft = { -readonly [Key in keyof ReplyOptions]: ReplyOptions[Key] };

/** Applies a value, or reports its problem. */
type Reader = (draft: Draft, value: string, output: DescMessage | undefined) => string | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  json: (draft, value) => {
    if (value !== 'camel' && value !== 'proto') return 'must be camel or proto';
    draft.profile = { ...draft.profile, names: value };
    return undefined;
  },
  defaults: (draft, value) => {
    if (value !== 'omit' && value !== 'emit') return 'must be omit or emit';
    draft.profile = { ...draft.profile, defaults: value };
    return undefined;
  },
  values: (draft, value) => {
    if (value !== 'wire') return 'must be wire';
    draft.profile = { ...draft.profile, values: value };
    return undefined;
  },
  pretty: (draft, value) => {
    if (!/^(?:0|1|true|false|)$/.test(value)) return 'must be 1 or 0';
    draft.pretty = value !== '0' && value !== 'false';
    return undefined;
  },
  fields: (draft, value, output) => {
    const read = parseFieldMask(value, output);
    if ('problem' in read) return read.problem;
    draft.mask = read.mask;
    draft.unknownFields = read.unknown;
    return undefined;
  },
};

/**
 * Removes `json`, `defaults`, `values`, `pretty` and `fields` from a query. A request field of the same name has precedence.
 *
 * @param profile the default
 * @param output the message that a mask selects from; `undefined` for a reply without fields
 */
export function takeReplyOptions(
  query: readonly QueryPair[],
  input: DescMessage,
  output: DescMessage | undefined,
  profile: JsonProfile,
): ReadReplyOptions {
  const options: Draft = { profile, pretty: false, mask: undefined, unknownFields: [] };
  if (query.length === 0) return { options, rest: query };
  const rest: QueryPair[] = [];
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const [name, value] of query) {
    const read = Object.hasOwn(READERS, name) && findField(input, name) === undefined ? READERS[name] : undefined;
    if (read === undefined) rest.push([name, value]);
    else {
      const description = seen.has(name) ? 'is given more than once' : read(options, value, output);
      seen.add(name);
      if (description !== undefined) violations.push({ field: name, description });
    }
  }
  return violations.length > 0 ? { violations } : { options, rest };
}
