import autocannon from 'autocannon';
import type { GatewayChild } from './gateway-child.js';
import type { LoadRequest } from './gateway-queries.js';

/** Callers at the same time. */
const CONNECTIONS = 16;

/**
 * Sends `amount` requests. `requestOf` gives the request of a connection: those that differ make calls that cannot be shared,
 * since each connection waits for its reply before it asks again.
 *
 * @returns CPU of the process per request, in microseconds
 */
export async function costOf(
  child: GatewayChild,
  requestOf: (connection: number) => LoadRequest,
  amount: number,
): Promise<number> {
  let connection = 0;
  const before = await child.usage();
  const result = await autocannon({
    url: child.url,
    connections: CONNECTIONS,
    amount,
    setupClient: (client) => {
      client.setRequests([requestOf(connection)]);
      connection += 1;
    },
  });
  const after = await child.usage();
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${amount} requests to ${child.url}${requestOf(0).path} failed`);
  return (after.cpuUs - before.cpuUs) / amount;
}
