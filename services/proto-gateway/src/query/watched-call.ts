import { HEIGHT_HEADER } from '@mlango/cosmos-rest/heights';
import { parseQuery } from '@mlango/transcoder/bind-query';
import type { Metadata } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';
import { isQuery, type Route } from '../catalog/routes.js';
import { Cancellation } from '../nodes/cancellation.js';
import { type ChainNode, keyOfCall, type NodeCall } from '../nodes/chain-node.js';
import type { View, WatchedQuery } from '../watch/subscription.js';

/** A query as it can be watched. */
export interface Watched {
  readonly query: WatchedQuery;
  /** Headers of the answer. */
  readonly warning: Readonly<Record<string, string>>;
}

/** A query that can be called at any height. */
export function watchedCall(
  queries: ChainNode,
  { path, request, metadata, timeoutMs }: Omit<NodeCall, 'signal'>,
  view: View,
): WatchedQuery {
  // Forwarded addresses are removed: the call serves all subscribers.
  const shared: Metadata = metadata.filter(([name]) => !name.startsWith('x-forwarded-') && name !== HEIGHT_HEADER);
  // A new signal per call, so that its listeners are collected.
  const call = () => ({ path, request, timeoutMs, signal: new Cancellation() });
  return {
    key: keyOfCall({ ...call(), metadata: shared }).text,
    query: (height) => queries.call({ ...call(), metadata: [...shared, [HEIGHT_HEADER, String(height)]] }),
    view,
  };
}

/** @param isPinned the request names a block */
export function whyNotWatched(route: Route, isPinned: boolean): Violation | undefined {
  const field = 'watch';
  if (!isQuery(route)) return { field, description: 'is for queries with GET' };
  if (route.rpc.methodKind !== 'unary') return { field, description: 'is not supported for a stream' };
  return isPinned ? { field, description: 'and a block height exclude each other' } : undefined;
}

/** Parameters of the answer's form. */
const OF_THE_VIEW = new Set(['json', 'defaults', 'values', 'pretty', 'fields']);

/** Equal for requests with the same query and the same form of answers. */
export function viewOf(rawQuery: string): string {
  const parsed = parseQuery(rawQuery);
  return JSON.stringify('pairs' in parsed ? parsed.pairs.filter(([name]) => OF_THE_VIEW.has(name)) : []);
}
