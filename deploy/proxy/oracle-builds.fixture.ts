import { randomBytes } from 'node:crypto';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { io, type Socket } from 'socket.io-client';
import { expect } from 'vitest';
import { publishedClient } from '../../services/oracle-api/test/published-client.fixture.js';
import { bothBuilds } from './both-builds.fixture.js';
import type { Replica } from './replica.fixture.js';

const seed = randomBytes(32);
export const { keyDid: oracleDid } = signerFromSeed(seed);

/** Time limit of events that happen without a trigger. */
export const LONG = { timeout: 60_000 };

/** The oracle in both builds. */
export const oracleBuilds = (settings: Readonly<Record<string, string>>) =>
  bothBuilds('oracle-api', {
    ORACLE_DID: oracleDid,
    ORACLE_SIGNING_SEED: seed.toString('hex'),
    SEAL_KEYS: randomBytes(32).toString('hex'),
    METRICS_TOKEN: randomBytes(32).toString('hex'),
    LOCAL_MODEL_PACE_MS: '10',
    ...settings,
  });

/** A new user, with a client at each replica. */
export async function userOf(replicas: readonly [Replica, Replica]) {
  const signer = signerFromSeed(randomBytes(32));
  const invocation = await mintInvocation({ signer, audience: oracleDid, lifetimeSeconds: 600 });
  const [one, other] = replicas.map(({ address }) => publishedClient(`http://${address}`, { invocation }));
  return { signer, invocation, clients: [one ?? expect.fail(), other ?? expect.fail()] as const };
}

const sockets: Socket[] = [];

/** A tab of a user at one replica, once it is connected. */
export async function tabAt({ address }: Replica, sessionId: string, invocation: string) {
  const heard: string[] = [];
  const socket = io(`http://${address}`, {
    query: { sessionId },
    auth: { invocation },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  sockets.push(socket);
  socket.onAny((event: string) => heard.push(event));
  const hears = async (event: string, options = LONG) => {
    await expect.poll(() => heard, options).toContain(event);
  };
  await hears('connected');
  return { socket, heard, hears };
}

export function closeTabs(): void {
  for (const socket of sockets.splice(0)) socket.disconnect();
}
