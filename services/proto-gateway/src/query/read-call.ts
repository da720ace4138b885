import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { parseQuery, type UnknownQuery } from '@mlango/transcoder/bind-query';
import { bindRequest } from '@mlango/transcoder/bind-request';
import { findField } from '@mlango/transcoder/field-path';
import { BAD_TIMEOUT, LONGEST_TIMEOUT_MS, parseGrpcTimeout } from '@mlango/transcoder/grpc-timeout';
import { HEIGHT_HEADER, type HeaderPairs, type Metadata, toMetadata } from '@mlango/transcoder/metadata';
import type { PageRules } from '@mlango/transcoder/page-rules';
import { isHeight, type ReplyOptions, takeReplyOptions } from '@mlango/transcoder/reply-options';
import type { Violation } from '@mlango/transcoder/request-draft';
import type { Template } from '@mlango/transcoder/template';
import { boundPages, type KeyPlan } from '../access/key-plan.js';
import type { Route } from '../catalog/route-table.js';
import { readMinimum } from './minimum-height.js';
import { onlyHeader } from './only-header.js';

/** An HTTP request that matched a route. */
export interface MatchedRequest {
  readonly route: Route;
  readonly template: Template;
  readonly values: readonly string[];
  /** The path as it was sent. */
  readonly rawPath: string;
  /** The query as it was sent, without `?`. */
  readonly rawQuery: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  readonly callerAddress: string;
  /** What the key of the caller may ask for; undefined where that is not limited. */
  readonly plan?: KeyPlan | undefined;
}

export interface ReadRules {
  readonly registry: Registry;
  readonly unknownQuery: UnknownQuery;
  readonly pages: PageRules;
  /** Headers of HTTP, lower case, that go to the node as `grpcgateway-…`; none unless given. */
  readonly permanentHeaders?: ReadonlySet<string> | undefined;
  /** For a request without `Grpc-Timeout`, but for streams. */
  readonly defaultTimeoutMs: number;
}

/** What is to be asked of the node, and how the reply is wanted. */
export interface PreparedCall {
  readonly request: Uint8Array;
  readonly metadata: Metadata;
  readonly timeoutMs: number;
  /** See `NodeCall`. */
  readonly atLeast: number | undefined;
  readonly options: ReplyOptions;
  /** Parameters that were read and left out. */
  readonly ignored: readonly string[];
}

export type ReadCall = PreparedCall | { readonly violations: readonly Violation[] };

/** Turns a matched request into a call, or says everything that is wrong with it. */
export function readCall(request: MatchedRequest, rules: ReadRules): ReadCall {
  const violations: Violation[] = [];
  const { input } = request.route.rpc;
  const query = parseQuery(request.rawQuery);
  if ('violations' in query) return query;
  const taken = takeReplyOptions(query.pairs, input, maskedMessage(request.route));
  if ('violations' in taken) violations.push(...taken.violations);
  else if (rules.unknownQuery === 'reject') violations.push(...taken.options.unknownFields.map(notInReply));
  // A stream goes on for as long as something comes; see its idle limit.
  const isStream = request.route.rpc.methodKind === 'server_streaming';
  const fallbackMs = isStream ? LONGEST_TIMEOUT_MS : rules.defaultTimeoutMs;
  const timeoutMs = readTimeout(request.headers, fallbackMs, violations);
  const height = readHeight(request.headers, 'options' in taken ? taken.options.height : undefined, violations);
  const bound = bindRequest(
    { input, body: request.route.body },
    { ...request, query: 'rest' in taken ? taken.rest : [] },
    { ...rules, pages: boundPages(request.plan, rules.pages) },
  );
  if ('violations' in bound) violations.push(...bound.violations);
  const caller = { address: request.callerAddress, host: findHeader(request.headers, 'host') ?? '' };
  const metadata = withHeight(toMetadata(request.headers, caller, rules.permanentHeaders), height);
  const minimum = readMinimum(request.headers, metadata);
  if ('violations' in minimum) violations.push(...minimum.violations);
  if (violations.length > 0 || 'violations' in bound || 'violations' in taken || 'violations' in minimum) {
    return { violations };
  }
  return { request: bound.bytes, metadata, timeoutMs, ...minimum, options: taken.options, ignored: bound.ignored };
}

/** What a mask chooses from: the reply, or the one field of it that is written. */
function maskedMessage({ rpc, responseBody }: Route): DescMessage | undefined {
  return responseBody === '' ? rpc.output : findField(rpc.output, responseBody)?.message;
}

function notInReply(path: string): Violation {
  return { field: 'fields', description: `names ${path}, which the reply does not have` };
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

/** An explicit height replaces one that came as plain metadata. */
function withHeight(metadata: Metadata, height: string | undefined): Metadata {
  if (height === undefined) return metadata;
  return [...metadata.filter(([name]) => name !== HEIGHT_HEADER), [HEIGHT_HEADER, height]];
}

function findHeader(headers: HeaderPairs, name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name)?.[1];
}
