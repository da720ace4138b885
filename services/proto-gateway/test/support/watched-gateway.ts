import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach } from 'vitest';
import { sharedPools } from '../../src/deps.js';
import type { WatchPools, WatchRules } from '../../src/watch/watching.js';
import { drivenChain } from './driven-chain.js';
import { readEvents } from './event-reader.js';
import { poolOver, type TestAppOptions, testApp } from './test-app.js';

export const PARAMS = '/proto/token/params';
const RULES: WatchRules = {
  heartbeatMs: 15_000,
  authorisationMs: 20,
  tickMs: 20,
};

interface WatchedOptions extends TestAppOptions {
  readonly rules?: Partial<WatchRules & typeof LIMITS>;
}

const LIMITS = { perClient: 100, total: 1000, queries: 100, calls: 32 };

/** Rules and pools of watches; the defaults are those of tests. */
export function watchRules(over: WatchedOptions['rules'] = {}): { rules: WatchRules; pools: WatchPools } {
  const { perClient, total, queries, calls, ...rules } = { ...LIMITS, ...RULES, ...over };
  const pools = sharedPools({
    watch: { WATCHES_PER_CLIENT: perClient, WATCHES_MAX: total, WATCH_QUERIES_MAX: queries, WATCH_CALLS_MAX: calls },
    nodes: { GRPC_MAX_CALLS: 2_000 },
    http: { REPLY_BYTES_IN_FLIGHT: 1 },
  });
  return { rules, pools };
}

/** A listening gateway over a chain with blocks made by the test. */
export async function watchedGateway({ rules, ...options }: WatchedOptions = {}) {
  const chain = drivenChain();
  const watch = { blocks: chain.blocks, ...watchRules(rules) };
  const app: HttpApp = await testApp(
    poolOver(() => chain.channel),
    { watch, ...options },
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    chain,
    app,
    url,
    watch: (path = `${PARAMS}?watch=1`, headers: Record<string, string> = {}) => readEvents(`${url}${path}`, headers),
    metric: async (name: string) => {
      const { body } = await app.inject('/metrics');
      return body
        .split('\n')
        .find((line) => line.startsWith(name) && !line.startsWith('#'))
        ?.split(' ')
        .at(-1);
    },
  };
}

export type WatchedGateway = Awaited<ReturnType<typeof watchedGateway>>;

/** Opens such gateways, which are closed with their test. */
export function openWatched(): typeof watchedGateway {
  const opened: WatchedGateway[] = [];
  afterEach(async () => {
    for (const { app } of opened.splice(0)) await app.close();
  });
  return async (...parameters) => {
    const gateway = await watchedGateway(...parameters);
    opened.push(gateway);
    return gateway;
  };
}

/** The event of an answer: the params of tokens at a block. */
export function answerAt(height: number, code: number) {
  return { id: String(height), event: 'message', data: { params: { ixo1155_contract_code: String(code) } } };
}
