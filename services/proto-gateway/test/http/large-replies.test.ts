import { expect, it } from 'vitest';
import { gatewayOnNode } from '../support/gateway-on-node.js';

const { withApp } = gatewayOnNode();

/** Turns of the event loop so far. */
function countTurns() {
  let turns = 0;
  let isOver = false;
  const next = (): void => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  return {
    now: () => turns,
    stop: () => {
      isOver = true;
    },
  };
}

/** Turns of the event loop in which the answers to five equal concurrent requests, one call to the node, were sent. */
async function turnsOf(url: string, method: 'GET' | 'POST', payload?: string): Promise<number> {
  let clock = 0;
  // Every step takes longer than the limit of one turn.
  const now = () => (clock += 100);
  return withApp({ now }, async (app) => {
    const turns = countTurns();
    const headers = { 'content-type': 'application/json' };
    const request = { method, url, headers, ...(payload === undefined ? {} : { payload }) };
    const ended = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { statusCode } = await app.inject(request);
        return { statusCode, at: turns.now() };
      }),
    );
    turns.stop();
    expect(new Set(ended.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    return new Set(ended.map(({ at }) => at)).size;
  });
}

it.each([
  ['of routes', (limit: number) => turnsOf(`/proto/claims/claims?pagination.limit=${limit}`, 'GET')],
  [
    'of other protocols',
    (limit: number) => turnsOf('/ixo.claims.v1beta1.Query/ClaimList', 'POST', `{"pagination":{"limit":"${limit}"}}`),
  ],
])(
  'large replies %s that come at once leave turns of the event loop to others, and small ones need none',
  async (_, send) => {
    expect(await send(100)).toBe(5);
    expect(await send(1)).toBeLessThan(5);
  },
);
