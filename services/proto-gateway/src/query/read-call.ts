import { HEIGHT_HEADER, isHeight, MINIMUM_HEADER, takeHeight } from '@mlango/cosmos-rest/heights';
import type { FoundRoute, Transcoder } from '@mlango/transcoder';
import { parseQuery } from '@mlango/transcoder/bind-query';
import { BAD_TIMEOUT, LONGEST_TIMEOUT_MS, parseGrpcTimeout } from '@mlango/transcoder/grpc-timeout';
import { type HeaderPairs, type Metadata, toMetadata } from '@mlango/transcoder/metadata';
import type { ReplyOptions } from '@mlango/transcoder/reply-options';
import type { Violation } from '@mlango/transcoder/violation';
import { type KeyPlan, rulesOfPlan } from '../access/key-plan.js';
import type { NodeIndexOf } from '../answers/answer-headers.js';
import type { Route } from '../catalog/routes.js';
import { requestedHeight } from '../nodes/chain-node.js';

/** An HTTP request with its route. */
export interface MatchedRequest extends FoundRoute<Route> {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  readonly callerAddress: string;
  /** The plan of the caller's key; undefined without limits. */
  readonly plan?: KeyPlan | undefined;
}

export interface ReadRules {
  readonly transcoder: Transcoder<Route>;
  /** Headers of HTTP, lower case, that go to the node as `grpcgateway-…`; default: none. */
  readonly permanentHeaders?: ReadonlySet<string> | undefined;
  /** For unary requests without `Grpc-Timeout`. */
  readonly defaultTimeoutMs: number;
  /** The index of a node by its target, for `X-Node`; omitted: answers do not name their node. */
  readonly exposeNode?: NodeIndexOf | undefined;
}

/** A call to the node, and the form of its reply. */
export interface PreparedCall {
  readonly request: Uint8Array;
  readonly metadata: Metadata;
  readonly timeoutMs: number;
  /** See `NodeCall`. */
  readonly atLeast: number | undefined;
  readonly options: ReplyOptions;
  /** Query parameters without effect. */
  readonly ignored: readonly string[];
}

export type ReadCall = PreparedCall | { readonly violations: readonly Violation[] };

/** Turns a matched request into a call, or lists all its violations. */
export function readCall(request: MatchedRequest, rules: ReadRules): ReadCall {
  const violations: Violation[] = [];
  const query = parseQuery(request.rawQuery);
  if ('violations' in query) return query;
  const taken = takeHeight(query.pairs, request.route.rpc.input);
  if ('violations' in taken) violations.push(...taken.violations);
  // Streams have an idle limit in place of a deadline.
  const isStream = request.route.rpc.methodKind === 'server_streaming';
  const fallbackMs = isStream ? LONGEST_TIMEOUT_MS : rules.defaultTimeoutMs;
  const timeoutMs = readTimeout(request.headers, fallbackMs, violations);
  const height = readHeight(request.headers, 'height' in taken ? taken.height : undefined, violations);
  const content = {
    body: request.body,
    contentType: findHeader(request.headers, 'content-type'),
    query: 'rest' in taken ? taken.rest : [],
    rules: rulesOfPlan(request.plan),
  };
  const read = rules.transcoder.read(request, content);
  if ('violations' in read) violations.push(...read.violations);
  const caller = { address: request.callerAddress, host: findHeader(request.headers, 'host') ?? '' };
  const metadata = withHeight(toMetadata(request.headers, caller, rules.permanentHeaders), height);
  const minimum = readMinimum(request.headers, metadata);
  if ('violations' in minimum) violations.push(...minimum.violations);
  if (violations.length > 0 || 'violations' in read || 'violations' in minimum) return { violations };
  const { bytes, options, ignored } = read;
  return { request: bytes, metadata, timeoutMs, atLeast: minimum.atLeast, options, ignored };
}

function readTimeout(headers: HeaderPairs, fallback: number, violations: Violation[]): number {
  const text = onlyHeader(headers, BAD_TIMEOUT.field, violations);
  if (text === undefined) return fallback;
  const timeoutMs = parseGrpcTimeout(text);
  if (timeoutMs === undefined) {
    violations.push(BAD_TIMEOUT);
  }
  return timeoutMs ?? fallback;
}

function readHeight(headers: HeaderPairs, fromQuery: string | undefined, violations: Violation[]): string | undefined {
  const fromHeader = onlyHeader(headers, HEIGHT_HEADER, violations);
  if (fromHeader === undefined) return fromQuery;
  if (!isHeight(fromHeader)) violations.push({ field: HEIGHT_HEADER, description: 'must be a block height' });
  else if (fromQuery !== undefined && BigInt(fromQuery) !== BigInt(fromHeader)) {
    violations.push({ field: 'height', description: `differs from the header ${HEIGHT_HEADER}` });
  }
  return fromHeader;
}

/** A height from query or header replaces a height in forwarded metadata. */
function withHeight(metadata: Metadata, height: string | undefined): Metadata {
  if (height === undefined) return metadata;
  const others: Metadata[number][] = [];
  for (const entry of metadata) if (entry[0] !== HEIGHT_HEADER) others.push(entry);
  others.push([HEIGHT_HEADER, height]);
  return others;
}

function findHeader(headers: HeaderPairs, name: string): string | undefined {
  for (const [header, value] of headers) {
    if (header.length === name.length && header.toLowerCase() === name) return value;
  }
  return undefined;
}

export type ReadMinimum =
  | { readonly atLeast: number | undefined }
  | { readonly violations: readonly [Violation, ...Violation[]] };

/** The minimum height of a request; none for 0, and none if the request has a fixed height. */
export function readMinimum(headers: HeaderPairs, metadata: Metadata): ReadMinimum {
  const violations: Violation[] = [];
  const text = onlyHeader(headers, MINIMUM_HEADER, violations);
  if (text === undefined) return { atLeast: undefined };
  if (!isHeight(text)) violations.push({ field: MINIMUM_HEADER, description: 'must be a block height' });
  const [first, ...rest] = violations;
  if (first !== undefined) return { violations: [first, ...rest] };
  return { atLeast: requestedHeight(metadata) === undefined ? Number(text) || undefined : undefined };
}

/** The value of a header that must not be repeated. */
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
