import type { DescMessage } from '@bufbuild/protobuf';
import type { QueryPair } from './bind-query.js';
import { type FieldMask, readFieldMask } from './field-mask.js';
import { findField } from './field-path.js';
import { COSMOS_PROFILE, type JsonProfile } from './json-profile.js';
import type { Violation } from './request-draft.js';

/** What a caller asks of the reply's form and of the height, beside the fields of the request. */
export interface ReplyOptions {
  readonly profile: JsonProfile;
  readonly pretty: boolean;
  readonly mask: FieldMask | undefined;
  /** Paths of the mask the reply has no field for. */
  readonly unknownFields: readonly string[];
  /** A block height in digits. */
  readonly height: string | undefined;
}

export type ReadReplyOptions =
  | { readonly options: ReplyOptions; readonly rest: readonly QueryPair[] }
  | { readonly violations: readonly Violation[] };

type Draft = { -readonly [Key in keyof ReplyOptions]: ReplyOptions[Key] };

/** Takes a value in, or says what is wrong with it. */
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
    if (value !== 'wire' && value !== 'chain') return 'must be wire or chain';
    draft.profile = {
      names: draft.profile.names,
      defaults: draft.profile.defaults,
      ...(value === 'wire' && { values: value }),
    };
    return undefined;
  },
  pretty: (draft, value) => {
    if (!/^(?:0|1|true|false|)$/.test(value)) return 'must be 1 or 0';
    draft.pretty = value !== '0' && value !== 'false';
    return undefined;
  },
  fields: (draft, value, output) => {
    const read = readFieldMask(value, output);
    if ('problem' in read) return read.problem;
    draft.mask = read.mask;
    draft.unknownFields = read.unknown;
    return undefined;
  },
  height: (draft, value) => {
    if (!isHeight(value)) return 'must be a block height';
    draft.height = value;
    return undefined;
  },
};

/** True for the digits of a block height. Height 0 is the latest one. */
export function isHeight(text: string): boolean {
  return /^[0-9]{1,18}$/.test(text);
}

/**
 * Takes the gateway's own parameters out of a query. A field of the request with the same name comes first.
 *
 * @param output what a mask chooses from; `undefined` for a reply without fields
 */
export function takeReplyOptions(
  query: readonly QueryPair[],
  input: DescMessage,
  output: DescMessage | undefined,
): ReadReplyOptions {
  const options: Draft = {
    profile: COSMOS_PROFILE,
    pretty: false,
    mask: undefined,
    unknownFields: [],
    height: undefined,
  };
  const rest: QueryPair[] = [];
  const violations: Violation[] = [];
  const given = new Set<string>();
  for (const [name, value] of query) {
    const read = Object.hasOwn(READERS, name) && findField(input, name) === undefined ? READERS[name] : undefined;
    if (read === undefined) rest.push([name, value]);
    else {
      const description = given.has(name) ? 'is given more than once' : read(options, value, output);
      given.add(name);
      if (description !== undefined) violations.push({ field: name, description });
    }
  }
  return violations.length > 0 ? { violations } : { options, rest };
}
