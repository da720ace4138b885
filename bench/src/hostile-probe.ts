/** What others notice meanwhile: asks in turn for what must be quick, and notes how long it took. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child-process.js';
import { httpGet } from './http-get.js';
import { Latencies } from './latencies.js';
import { threadTime } from './thread-time.js';

const PAUSE_MS = 5;

export class Noticed {
  readonly health = new Latencies();
  /** What the service's own thread worked, and waited for a processor, from each question for its health to the answer. */
  readonly worked = new Latencies();
  readonly waited = new Latencies();
  /** A process beside it that nobody attacks. */
  readonly idle = new Latencies();
  /** Honest requests whose token was seen before, as most are, and whose token is new. */
  readonly known = new Latencies();
  readonly fresh = new Latencies();
}

export interface Probed {
  readonly service: Child;
  readonly idle: Child;
  readonly knownToken: string;
  /** A token that the service has not seen. */
  readonly freshToken: () => string;
}

/** Asks for health, of the idle process, and for sessions with a known and with a new token, until `isOver`. */
export async function probe(
  { service, idle, knownToken, freshToken }: Probed,
  into: readonly Noticed[],
  isOver: () => boolean,
): Promise<void> {
  // Its own connections: one that idled between two attacks could be closed as it is used.
  const agent = new Agent({ keepAlive: true });
  const ask = async (url: string, kind: 'health' | 'idle' | 'known' | 'fresh', token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
    const { status, ms } = await httpGet(url, headers, agent);
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    for (const noticed of into) noticed[kind].add(ms);
  };
  while (!isOver()) {
    const before = threadTime(service.pid);
    await ask(`${service.url}/health`, 'health');
    const after = threadTime(service.pid);
    for (const noticed of into) {
      noticed.worked.add(after.workedMs - before.workedMs);
      noticed.waited.add(after.waitedMs - before.waitedMs);
    }
    await ask(`${idle.url}/query`, 'idle');
    await ask(`${service.url}/sessions`, 'known', knownToken);
    await ask(`${service.url}/sessions`, 'fresh', freshToken());
    await sleep(PAUSE_MS);
  }
  agent.destroy();
}
