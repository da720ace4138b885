import { createHash } from 'node:crypto';
import { HEIGHT_HEADER, MINIMUM_HEADER } from '@mlango/cosmos-rest/heights';
import type { Reply } from '@mlango/grpc-channel';
import type { FoundRoute } from '@mlango/transcoder';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import { LRUCache } from 'lru-cache';
import { type Answer, isWhole, NODE_HEADER, withHeaders } from '../answers/answer.js';
import type { Route } from '../catalog/routes.js';
import { type CallKey, keyOfCall, type NodeCall, type NodeReply } from '../nodes/chain-node.js';
import { type CacheRules, isImmutable, type ReplyCache } from './reply.js';

interface CachedResponse {
  readonly answer: Answer;
  /** The reply in the reply cache that the answer was written from. */
  readonly key: string;
  readonly id: number | undefined;
}

/** What an answer depends on. */
export interface CacheableRequest extends Pick<FoundRoute<Route>, 'route' | 'rawPath' | 'rawQuery'> {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  /** The plan of the caller's key: its answers are not cached. */
  readonly plan?: object | undefined;
}

export interface ResponseCache {
  /** The answer to an earlier equal request, while its reply is cached. */
  find(request: CacheableRequest): Answer | undefined;
  /** Adds caching headers to an answer and stores it. */
  finish(answer: Answer, reply: NodeReply, request: CacheableRequest, call: NodeCall): Answer;
}

export interface ResponseCacheOptions extends CacheRules {
  readonly permanentHeaders?: ReadonlySet<string> | undefined;
  /** Callers authenticate: HTTP caches must not share answers. */
  readonly isGated: boolean;
  /** Answers name their node. */
  readonly exposesNode: boolean;
}

/** Request headers that an answer may depend on. Credentials of the gateway itself are removed before. */
const RESPONSE_HEADERS = /^(?:grpc-.*|authorization|x-cosmos-block-height|x-min-block-height|if-none-match)$/i;

/** The body and its compressed forms. */
const FORMS = 3;
const ENTRY_BYTES = 2048;

/**
 * Caches complete answers, so that a repeated query is neither parsed nor written again. An answer is valid while the reply cache
 * still has its reply.
 *
 * @param onFound called for each answer from the cache
 */
export function createResponseCache(
  replies: Pick<ReplyCache, 'isCurrent'>,
  { limitBytes, ttlMs, permanentHeaders, isGated, exposesNode }: ResponseCacheOptions,
  onFound: () => void = () => {},
): ResponseCache {
  const answers = new LRUCache<string, CachedResponse>({ maxSize: limitBytes });

  function save(answer: Answer, { id }: NodeReply, request: CacheableRequest, { text: key }: CallKey): void {
    const url = cacheKey(request, permanentHeaders);
    if (url === undefined || !isWhole(answer.body) || answer.isEncoded === true || !replies.isCurrent(key, id)) return;
    const size = ENTRY_BYTES + (url.length + key.length) * 2 + answer.body.length * FORMS;
    answers.set(url, { answer: exposesNode ? withHeaders(answer, FROM_CACHE) : answer, key, id }, { size });
  }

  return {
    find(request) {
      const url = cacheKey(request, permanentHeaders);
      const cached = url === undefined ? undefined : answers.get(url);
      if (url === undefined || cached === undefined) return undefined;
      if (!replies.isCurrent(cached.key, cached.id)) {
        answers.delete(url);
        return undefined;
      }
      onFound();
      return cached.answer;
    },
    finish(answer, reply, request, call) {
      const key = keyOfCall(call);
      if (key.hasCallerMetadata) return answer;
      const lifetime = { isImmutable: isImmutable(key.height, reply), ttlMs, isPrivate: isGated };
      const finished = { ...conditionalAnswer(answer, reply, request, lifetime), isCached: true };
      save(finished, reply, request, key);
      return finished;
    },
  };
}

const FROM_CACHE = { [NODE_HEADER]: 'cache' };

/** The URL, if the answer depends on nothing else; else `undefined`. */
function cacheKey(
  { route, rawPath, rawQuery, body, headers, plan }: CacheableRequest,
  permanent: ReadonlySet<string> | undefined,
): string | undefined {
  if (route.method !== 'GET' || body.length > 0 || plan !== undefined) return undefined;
  for (const [name] of headers) {
    if (RESPONSE_HEADERS.test(name) || permanent?.has(name.toLowerCase()) === true) return undefined;
  }
  return `${rawPath}?${rawQuery}`;
}

/** Memo: a cached message is hashed once. */
const tags = new WeakMap<Uint8Array, string>();

/** One year, the customary maximum. Source: RFC 9111, RFC 8246. */
const IMMUTABLE = 'max-age=31536000, immutable';

/** The entity tag of a reply. It is weak, because one reply has several forms. Source: RFC 9110. */
function entityTag({ message }: Reply): string {
  let tag = tags.get(message);
  if (tag === undefined) {
    tag = `W/"${createHash('sha256').update(message).digest('base64url').slice(0, 22)}"`;
    tags.set(message, tag);
  }
  return tag;
}

/** Adds caching headers, and answers 304 without a body if the client has this version. */
function conditionalAnswer(
  answer: Answer,
  reply: Reply,
  request: { readonly headers: HeaderPairs },
  lifetime: { readonly isImmutable: boolean; readonly ttlMs: number; readonly isPrivate: boolean },
): Answer {
  const tag = entityTag(reply);
  const headers = new Map(answer.headers);
  headers.set('etag', [tag]);
  headers.set('cache-control', [
    `${lifetime.isPrivate ? 'private' : 'public'}, ${lifetime.isImmutable ? IMMUTABLE : `max-age=${Math.floor(lifetime.ttlMs / 1000)}`}`,
  ]);
  // Height and minimum height may be headers, which the URL does not contain.
  headers.set('vary', [`${HEIGHT_HEADER}, ${MINIMUM_HEADER}`]);
  return isKnown(request.headers, tag) ? { ...answer, status: 304, headers, body: '' } : { ...answer, headers };
}

/** Whether the client has this version. Source: RFC 9110, If-None-Match. */
export function isKnown(headers: HeaderPairs, tag: string): boolean {
  return headers.some(([name, value]) => {
    if (name.toLowerCase() !== 'if-none-match') return false;
    return value.trim() === '*' || value.split(',').some((known) => withoutWeakness(known) === withoutWeakness(tag));
  });
}

function withoutWeakness(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
