import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { FrontendAnswer, FrontendCall } from '../agent/loop/turn-tool.js';
import {
  authOf,
  closeClients,
  didOf,
  listening,
  type Service,
  type SocketAuth,
  sessionOf,
  socketIoClient,
} from './sockets.fixture.js';

export let service: Service;
export let asha: SocketAuth;
export let sessionId: string;

/** Creates one session on one service for all tests of a file; after each test all tabs disconnect. */
export function useCalledTabs(): void {
  beforeAll(async () => {
    service = await listening({});
    asha = await authOf('a');
    sessionId = await sessionOf(service, asha);
  });
  afterEach(async () => {
    closeClients();
    await vi.waitFor(() => expect(service.deps.realtime.connectionLimit.taken).toBe(0));
  });
  afterAll(() => service.close());
}

/** The session of the calls. */
export const place = () => ({ runId: 'run', ownerDid: didOf('a'), sessionId, requestId: 'r1' });

/** Calls a tab, as a turn does. */
export function callTab(call: FrontendCall, signal = new AbortController().signal): Promise<FrontendAnswer> {
  return service.deps.realtime.calls.call(place(), call, signal);
}

/** A connected tab of the session. */
export async function tab(auth: SocketAuth = asha) {
  const client = socketIoClient(service.base, sessionId, auth);
  await client.next('connected');
  return client;
}
