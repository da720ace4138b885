import { createRegistry, type DescMessage, type FileRegistry, type Registry } from '@bufbuild/protobuf';
import { bindMessage, type Codec } from './bind/message.js';
import { parseQuery, type QueryPair, type UnknownQuery } from './bind/query.js';
import { type BindOptions, type BoundRequest, bindRequest } from './bind/request.js';
import type { RequestRule } from './bind/request-rule.js';
import type { Violation } from './bind/violation.js';
import { type FormatOf, rememberFormats } from './fields/field-format.js';
import { findField } from './fields/field-path.js';
import type { GrpcCode, RpcStatus, StatusDetail } from './grpc/grpc-status.js';
import { readStatusDetails } from './grpc/status-details.js';
import { type JsonProfile, PROTOBUF_PROFILE } from './json/profile.js';
import { type ReplyOptions, takeReplyOptions } from './json/reply-options.js';
import { type ReplyWriter, replyWriters } from './json/reply-writers.js';
import { type InvalidUtf8, type JsonWriter, writersByProfile } from './json/writer.js';
import { annotatedRoutes } from './rules/annotated-routes.js';
import type { HttpRoute } from './rules/http-route.js';
import { PathTrie } from './template/path-trie.js';
import type { UnescapeMode } from './template/percent-decoding.js';
import { splitUrl } from './template/request-target.js';

export type { ReplyWriter } from './json/reply-writers.js';
export type { InvalidUtf8 } from './json/writer.js';
export { HttpRuleError } from './rules/annotated-routes.js';

export interface TranscoderOptions<R extends HttpRoute> {
  readonly files: FileRegistry;
  /** The routes; the first of two at one path counts. Default: those of the annotations in `files`. */
  readonly routes?: readonly R[];
  /** Additional types in google.protobuf.Any. */
  readonly types?: Registry;
  /** The default form of replies. Default: protobuf's. */
  readonly profile?: JsonProfile;
  /** The handling of unknown query parameters. Default: reported and ignored. */
  readonly unknownQuery?: UnknownQuery | undefined;
  /** The escapes that stay in path variables of several segments. Default: those of reserved characters. */
  readonly unescape?: UnescapeMode | undefined;
  /** The handling of invalid UTF-8 in a reply's strings. Default: refused. */
  readonly invalidUtf8?: InvalidUtf8 | undefined;
  readonly hooks?: TranscoderHooks;
}

/** Conventions of an API that its descriptors do not contain. */
export interface TranscoderHooks {
  readonly formatOf?: FormatOf;
  readonly requestRules?: readonly RequestRule[];
  /** Maps the status of a failed call. */
  readonly statusOf?: (status: RpcStatus) => RpcStatus;
}

/** A request that has a route. */
export interface FoundRoute<R extends HttpRoute> {
  readonly route: R;
  /** Decoded values of the variables of the route's template, in its order. */
  readonly values: readonly string[];
  /** The path, unchanged. */
  readonly rawPath: string;
  /** The query, unchanged, without `?`. */
  readonly rawQuery: string;
}

export type RouteMatch<R extends HttpRoute> =
  | ({ readonly kind: 'found' } & FoundRoute<R>)
  /** `methods` are those the path has routes for. */
  | { readonly kind: 'other_method'; readonly methods: readonly string[] }
  /** An escape of the path is cut short, or is not UTF-8. */
  | { readonly kind: 'bad_escape' }
  | { readonly kind: 'none' };

export interface RequestContent {
  readonly body?: Uint8Array;
  /** The content type of the body, for rules with a google.api.HttpBody. */
  readonly contentType?: string | undefined;
  /** Overrides the parameters of the URL. */
  readonly query?: readonly QueryPair[];
  /** Applied after those of the hooks. */
  readonly rules?: readonly RequestRule[];
}

export type ReadRequest =
  | {
      /** The request message. */
      readonly bytes: Uint8Array;
      readonly options: ReplyOptions;
      /** Names of ignored parameters; empty if unknown ones are ignored silently. */
      readonly ignored: readonly string[];
    }
  | { readonly violations: readonly Violation[] };

export interface Transcoder<R extends HttpRoute> {
  /** Adds a route. Returns an existing one at its path, and then changes nothing. */
  mount(route: R): R | undefined;
  /** @param url as it was sent: neither decoded nor resolved */
  match(method: string, url: string): RouteMatch<R>;
  /** The request of a call, and the form of its reply; or all problems. */
  read(found: FoundRoute<R>, content?: RequestContent): ReadRequest;
  /** A complete request, in protobuf or as JSON, for an rpc that is called by its name. */
  readMessage(input: DescMessage, codec: Codec, message: Uint8Array, rules?: readonly RequestRule[]): BoundRequest;
  /** Writes the bytes of a reply as JSON. It throws on bytes that are no such reply. */
  writer(route: HttpRoute, options?: Partial<ReplyOptions>): ReplyWriter;
  /** Writes any message, in a spelling. */
  json(message: DescMessage, profile?: JsonProfile): JsonWriter;
  /** The status of a failed call. @param details an encoded google.rpc.Status, or JSON details */
  failure(
    code: GrpcCode,
    message: string,
    details: Uint8Array | readonly StatusDetail[],
    profile?: JsonProfile,
  ): RpcStatus;
}

/**
 * Maps HTTP to gRPC methods, by descriptors only.
 *
 * @throws {HttpRuleError} if `routes` is omitted, and an annotation does not fit its method
 */
export function createTranscoder(options: TranscoderOptions<HttpRoute>): Transcoder<HttpRoute>;
export function createTranscoder<R extends HttpRoute>(
  options: TranscoderOptions<R> & { readonly routes: readonly R[] },
): Transcoder<R>;
export function createTranscoder<R extends HttpRoute>(options: TranscoderOptions<R>): Transcoder<R> {
  const { files, unknownQuery = 'warn', hooks = {}, profile: ownProfile = DEFAULT_PROFILE } = options;
  const { requestRules = [], statusOf = (status) => status } = hooks;
  const registry = options.types === undefined ? files : createRegistry(options.types, files);
  const formatOf = rememberFormats(hooks.formatOf);
  const trie = new PathTrie<R>(options.unescape);
  const writersOf = writersByProfile(registry, formatOf, ownProfile, options.invalidUtf8);
  const writer = replyWriters(writersOf, ownProfile);
  const usual: BindOptions = { registry, unknownQuery, formatOf, rules: requestRules };
  const bindWith = (further: readonly RequestRule[] | undefined): BindOptions =>
    further === undefined ? usual : { ...usual, rules: [...requestRules, ...further] };
  function mount(route: R): R | undefined {
    return trie.insert(route.method, route.template, route);
  }

  // Without routes of their own there is no other kind of them.
  const routes = options.routes ?? (annotatedRoutes(files) as R[]);
  routes.forEach(mount);
  return {
    mount,
    match(method, url) {
      const { rawPath, rawQuery } = splitUrl(url);
      const match = trie.match(method, rawPath);
      if (match.kind !== 'found') return match;
      return { kind: 'found', route: match.target, values: match.values, rawPath, rawQuery };
    },
    read({ route, values, rawQuery }, { body = NO_BODY, contentType, query, rules } = {}) {
      const { input } = route.rpc;
      const parsed = query === undefined ? parseQuery(rawQuery) : { pairs: query };
      if ('violations' in parsed) return parsed;
      const taken = takeReplyOptions(parsed.pairs, input, maskedMessage(route), ownProfile);
      const parts = { template: route.template, values, query: 'rest' in taken ? taken.rest : [], body, contentType };
      const bound = bindRequest({ input, body: route.body, method: route.method }, parts, bindWith(rules));
      const unknown = unknownQuery === 'reject' && 'options' in taken ? taken.options.unknownFields : [];
      if (unknown.length > 0 || 'violations' in taken || 'violations' in bound) {
        const ofOptions = 'violations' in taken ? taken.violations : unknown.map(notInReply);
        return { violations: 'violations' in bound ? [...ofOptions, ...bound.violations] : ofOptions };
      }
      const { bytes, ignored } = bound;
      if (unknownQuery !== 'ignore') return { bytes, options: taken.options, ignored };
      return { bytes, options: { ...taken.options, unknownFields: [] }, ignored: [] };
    },
    readMessage: (input, codec, message, rules) => bindMessage(input, codec, message, bindWith(rules)),
    writer,
    json: (message, profile = ownProfile) => writersOf(profile)(message),
    failure(code, message, details, profile = ownProfile) {
      const isDecoded = !(details instanceof Uint8Array);
      const decoded = isDecoded ? details : readStatusDetails(details, writersOf(profile), registry);
      return statusOf({ code, message, details: decoded });
    },
  };
}

const NO_BODY = new Uint8Array();
const DEFAULT_PROFILE: JsonProfile = { names: PROTOBUF_PROFILE.names, defaults: PROTOBUF_PROFILE.defaults };

/** The message that a mask selects from: the reply, or its one written field. */
function maskedMessage({ rpc, responseBody }: HttpRoute): DescMessage | undefined {
  return responseBody === '' ? rpc.output : findField(rpc.output, responseBody)?.message;
}

function notInReply(path: string): Violation {
  return { field: 'fields', description: `names ${path}, which the reply does not have` };
}
