import { addressKey } from '@mlango/service-kit/http-app';
import type { RpcStatus } from '@mlango/transcoder/grpc-status';
import { splitUrl } from '@mlango/transcoder/request-target';
import type { FastifyRequest } from 'fastify';
import { readWatch } from '../watch/read-watch.js';
import type { Member, Watch } from '../watch/watched-query.js';
import type { Watching } from '../watch/watching.js';
import { answerMismatch } from './answer-mismatch.js';
import { headerPairs } from './request-parts.js';
import { NOT_KNOWN_YET, type Served } from './served.js';

export interface JoinOptions {
  /** The first path segment in use. */
  readonly prefix: string;
  readonly watching: Watching;
  readonly served: () => Served | undefined;
  /** Callers have shown credentials to the gateway itself. */
  readonly isGated: boolean;
}

const NO_BODY = new Uint8Array();

/** What a path stands for as something to watch, or why it is nothing. */
export function joinByPath(
  url: string,
  request: FastifyRequest,
  { prefix, watching, served, isGated }: JoinOptions,
): { readonly join: (member: Member) => Watch | undefined } | { readonly status: RpcStatus } {
  if (splitUrl(url).rawPath === `/${prefix}/blocks`) return { join: (member) => watching.blocks.join(member) };
  const now = served();
  if (now === undefined) return { status: NOT_KNOWN_YET };
  const match = now.table.transcoder.match('GET', url);
  if (match.kind !== 'found') {
    const { body } = answerMismatch(match, 'GET', url, now.table);
    // What a GET is told where nothing is, is a status.
    return { status: typeof body === 'string' ? JSON.parse(body) : NOT_KNOWN_YET };
  }
  // That it is watched goes without saying here.
  const asked = readWatch(match.rawQuery, [], match.route.rpc.input);
  const watched = now.gateway.watched({
    ...match,
    ...(asked !== undefined && 'rawQuery' in asked ? { rawQuery: asked.rawQuery } : {}),
    headers: headerPairs(request, { isGated }),
    body: NO_BODY,
    callerAddress: request.ip,
    plan: request.apiKey?.plan,
  });
  return 'status' in watched
    ? watched
    : { join: (member) => watching.queries.join(watched.query, member, addressKey(request.ip)) };
}
