import { createHash } from 'node:crypto';
import { HEIGHT_HEADER, MINIMUM_HEADER } from '@mlango/cosmos-rest/heights';
import type { Reply } from '@mlango/grpc-channel';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { Answer } from './answer.js';

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
