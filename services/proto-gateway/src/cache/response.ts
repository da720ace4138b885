import { createHash } from 'node:crypto';
import { HEIGHT_HEADER, MINIMUM_HEADER } from '@mlango/cosmos-rest/heights';
import type { Reply } from '@mlango/grpc-channel';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import { type CallKey, keyOfCall, type NodeCall } from '../nodes/chain-node.js';
import { type Answer, isWhole } from '../query/answer.js';
import type { MatchedRequest } from '../query/read-call.js';
import { ByteLru } from './byte-lru.js';
import { type CacheRules, isImmutable, type ReplyCache } from './reply.js';

interface CachedResponse {
  readonly answer: Answer;
  /** What the answer words: it is given again as long as this is kept, and no longer. */
  readonly key: string;
  readonly reply: Reply;
}

export interface ResponseCache {
  /** The answer to an equal request before, while its reply is kept. */
  find(
    request: Pick<MatchedRequest, 'route' | 'rawPath' | 'rawQuery' | 'body' | 'headers' | 'plan'>,
  ): Answer | undefined;
  /** Says how long an answer lasts, and keeps it for as long. */
  finish(answer: Answer, reply: Reply, request: MatchedRequest, call: NodeCall): Answer;
}

/** The headers of a request that its answer may depend on; those that show credentials to the gateway do not arrive here. */
const RESPONSE_HEADERS = /^(?:grpc-.*|authorization|x-cosmos-block-height|x-min-block-height|if-none-match)$/i;

/** The body, and its encoded forms, which are smaller. */
const FORMS = 3;
const ENTRY_BYTES = 2048;

/**
 * Keeps answers as they were worded, so that a query that is asked again costs neither reading it nor writing its JSON.
 * An answer is never older than the reply it words: `replies` say whether that one still counts.
 *
 * @param isGated not everybody may have the replies: caches on the way must not share them
 * @param onFound told of each answer that is given again
 */
export function createResponseCache(
  replies: Pick<ReplyCache, 'isCached'>,
  rules: CacheRules & { readonly permanentHeaders?: ReadonlySet<string> | undefined },
  isGated: boolean,
  onFound: () => void = () => {},
): ResponseCache {
  const answers = new ByteLru<CachedResponse>(rules.limitBytes);

  function keep(answer: Answer, reply: Reply, request: MatchedRequest, { text: key }: CallKey): void {
    const url = cacheKey(request, rules.permanentHeaders);
    if (url === undefined || !isWhole(answer.body) || answer.isEncoded === true || !replies.isCached(key, reply))
      return;
    const sizeBytes = ENTRY_BYTES + (url.length + key.length) * 2 + answer.body.length * FORMS;
    answers.keep(url, { answer, key, reply }, sizeBytes);
  }

  return {
    find(request) {
      const url = cacheKey(request, rules.permanentHeaders);
      const kept = url === undefined ? undefined : answers.find(url);
      if (url === undefined || kept === undefined) return undefined;
      if (!replies.isCached(kept.key, kept.reply)) {
        answers.drop(url);
        return undefined;
      }
      onFound();
      return kept.answer;
    },
    finish(answer, reply, request, call) {
      const key = keyOfCall(call);
      if (key.isPersonal) return answer;
      const lifetime = { isImmutable: isImmutable(key.height, reply), ttlMs: rules.ttlMs, isPrivate: isGated };
      const finished = { ...conditionalAnswer(answer, reply, request, lifetime), isCached: true };
      keep(finished, reply, request, key);
      return finished;
    },
  };
}

/** Path and query of a request whose answer depends on nothing else. */
function cacheKey(
  { route, rawPath, rawQuery, body, headers, plan }: Parameters<ResponseCache['find']>[0],
  permanent: ReadonlySet<string> | undefined,
): string | undefined {
  if (route.method !== 'GET' || body.length > 0 || plan !== undefined) return undefined;
  for (const [name] of headers) {
    if (RESPONSE_HEADERS.test(name) || permanent?.has(name.toLowerCase()) === true) return undefined;
  }
  return `${rawPath}?${rawQuery}`;
}

/** A reply that is kept is hashed once. */
const tags = new WeakMap<Reply, string>();

/** A year, which stands for always. Source: RFC 9111, RFC 8246. */
const ALWAYS = 'max-age=31536000, immutable';

/** The tag of what a node said. It is weak, because one reply has several forms. Source: RFC 9110. */
function entityTag(reply: Reply): string {
  let tag = tags.get(reply);
  if (tag === undefined) {
    tag = `W/"${createHash('sha256').update(reply.message).digest('base64url').slice(0, 22)}"`;
    tags.set(reply, tag);
  }
  return tag;
}

/** Says how long an answer may be kept, and leaves its body out for a caller who has it already. */
export function conditionalAnswer(
  answer: Answer,
  reply: Reply,
  request: { readonly headers: HeaderPairs },
  lifetime: { readonly isImmutable: boolean; readonly ttlMs: number; readonly isPrivate: boolean },
): Answer {
  const tag = entityTag(reply);
  const headers = new Map(answer.headers);
  headers.set('etag', [tag]);
  headers.set('cache-control', [
    `${lifetime.isPrivate ? 'private' : 'public'}, ${lifetime.isImmutable ? ALWAYS : `max-age=${Math.floor(lifetime.ttlMs / 1000)}`}`,
  ]);
  // The height and the least one may come as headers, and then the URL does not tell them.
  headers.set('vary', [`${HEIGHT_HEADER}, ${MINIMUM_HEADER}`]);
  return isKnown(request.headers, tag) ? { ...answer, status: 304, headers, body: '' } : { ...answer, headers };
}

/** Whether a caller has it already. Source: RFC 9110, If-None-Match. */
export function isKnown(headers: HeaderPairs, tag: string): boolean {
  return headers.some(([name, value]) => {
    if (name.toLowerCase() !== 'if-none-match') return false;
    return value.trim() === '*' || value.split(',').some((known) => withoutWeakness(known) === withoutWeakness(tag));
  });
}

function withoutWeakness(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
