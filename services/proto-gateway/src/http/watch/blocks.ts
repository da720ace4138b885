import type { GatewayBlock } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { badRequest } from '@mlango/transcoder/bad-request';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { splitUrl } from '@mlango/transcoder/request-target';
import { type Answer, errorAnswer, JSON_TYPE } from '../../answers/answer.js';
import type { ReplyBytes } from '../../nodes/byte-budget.js';
import type { NewBlock } from '../../watch/block-feed.js';
import { readWatch } from '../../watch/read-watch.js';
import type { Watching } from '../../watch/watching.js';
import { headerPairs } from '../request.js';
import { send } from '../send.js';
import { eventStream } from './event-stream.js';

export interface BlocksOptions {
  /** The first path segment in use. */
  readonly prefix: string;
  readonly watching: Watching;
  readonly printBlock: (block: NewBlock) => string;
  readonly replyBytes: ReplyBytes;
}

/** The JSON of a block of a chain. */
export function blockPrinter(chainId: () => string | undefined): (block: NewBlock) => string {
  return ({ height, seconds }) => {
    const time = seconds === null ? null : printTime(seconds);
    const printed: GatewayBlock = { height: String(height), time, chain_id: chainId() ?? null };
    return JSON.stringify(printed);
  };
}

/** `GET /<prefix>/blocks`: the newest block, and with `watch=1` each one that follows. */
export function blocksRoute(app: HttpApp, { prefix, watching, printBlock, replyBytes }: BlocksOptions): void {
  app.get(`/${prefix}/blocks`, { schema: { hide: true } }, (request, reply) => {
    const { rawQuery } = splitUrl(request.raw.url ?? '/');
    const parsed = readWatch(rawQuery, headerPairs(request, { isGated: true }), undefined);
    const answer = (): Answer => {
      if (parsed !== undefined && 'violations' in parsed) return errorAnswer(badRequest(parsed.violations));
      if (parsed?.isWatch !== true) return newestBlock(watching.newest, printBlock);
      return eventStream(watching, request, parsed.from, (subscriber) => watching.blocks.join(subscriber));
    };
    return send(reply, answer(), {}, replyBytes);
  });
}

function newestBlock(block: NewBlock | undefined, print: (block: NewBlock) => string): Answer {
  if (block !== undefined) {
    return { status: 200, contentType: JSON_TYPE, headers: new Map(), body: print(block), code: GRPC_CODES.ok };
  }
  const message = 'No chain node has reported its height yet';
  return errorAnswer({ code: GRPC_CODES.unavailable, message, details: [] }, [], { 'retry-after': '1' });
}

/** ISO time; `null` if a node reports an invalid one. */
export function printTime(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString();
}
