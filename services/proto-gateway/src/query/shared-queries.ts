import type { ChainNode } from '../nodes/chain-node.js';
import { type CacheRules, cacheReplies } from '../nodes/reply-cache.js';
import { type SharedReplies, shareReplies } from '../nodes/share-replies.js';
import { type SharedCalls, shareCalls } from '../nodes/shared-calls.js';
import { type KeptAnswers, keepAnswers } from './kept-answers.js';
import type { ReadRules } from './read-call.js';

/** Who counts the queries that cost the node nothing. */
export interface QueryObserver {
  cacheLookup(isHit: boolean): void;
  sharedCall(): void;
}

export interface SharedQueriesOptions {
  readonly node: ChainNode;
  /** Omitted: nothing is kept. */
  readonly cache?: CacheRules | undefined;
  /** Omitted: other replicas are not asked. */
  readonly shared?: Omit<SharedReplies, 'now'> | undefined;
  /** Not everybody may have the replies: caches on the way must not share them. */
  readonly isGated: boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly observer?: QueryObserver;
}

/** The node as queries reach it, and their answers as they were worded; each has half of the room there is. */
export function sharedQueries({
  node,
  cache,
  now,
  observer,
  isGated,
  permanentHeaders,
  shared: elsewhere,
}: SharedQueriesOptions & Pick<ReadRules, 'permanentHeaders'>): {
  readonly queries: ChainNode;
  readonly isShared: SharedCalls['isShared'];
  readonly kept?: KeptAnswers;
} {
  const asked = elsewhere === undefined ? node : shareReplies(node, { ...elsewhere, now });
  const shared = shareCalls(asked, now, () => observer?.sharedCall());
  const { isShared } = shared;
  if (cache === undefined) return { queries: shared, isShared };
  const rules = { ...cache, limitBytes: cache.limitBytes / 2 };
  const lookup = (isHit: boolean): void => observer?.cacheLookup(isHit);
  const queries = cacheReplies(shared, rules, now, lookup);
  return { queries, isShared, kept: keepAnswers(queries, { ...rules, permanentHeaders }, isGated, () => lookup(true)) };
}
