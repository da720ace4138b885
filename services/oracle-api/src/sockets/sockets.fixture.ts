import { mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { WebSocket } from 'undici';
import { vi } from 'vitest';
import { newSession, oracle, type TestOptions, testApp } from '../../test/app.fixture.js';
import type { FrontendCall } from '../agent/loop/turn-tool.js';

export interface SocketAuth {
  readonly invocation?: string;
  readonly ucanDelegation?: string;
}

/** The app on its own port, with its clean-up. */
export async function listening(options: TestOptions = {}) {
  const { app, deps } = await testApp(options);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, deps, base, close: () => app.close() };
}

export type Service = Awaited<ReturnType<typeof listening>>;

export function didOf(letter: string): string {
  return signerFromSeed(Buffer.alloc(32, letter)).did;
}

/** A fresh token of the user of this letter. */
export async function authOf(
  letter: string,
  lifetimeSeconds = 300,
  options: { readonly now?: () => number; readonly proofs?: readonly string[] } = {},
): Promise<{ invocation: string }> {
  const signer = signerFromSeed(Buffer.alloc(32, letter));
  return { invocation: await mintInvocation({ signer, audience: oracle.did, lifetimeSeconds, ...options }) };
}

/** Revokes a token as the user of this letter, if permitted. */
export function takeBackBy(letter: string, token: string): Promise<string> {
  return mintRevocation({ signer: signerFromSeed(Buffer.alloc(32, letter)), audience: oracle.did, token });
}

export async function sessionOf(service: Service, { invocation }: SocketAuth): Promise<string> {
  return newSession(service.app, { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' });
}

export interface Received {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface TestClient {
  readonly socket: Socket;
  readonly received: Received[];
  /** The first event of that name, once it has arrived. */
  next(event: string): Promise<Record<string, unknown>>;
}

const open: (() => void)[] = [];

/** Closes the connections of the tests of a file. */
export function closeClients(): void {
  for (const close of open.splice(0)) close();
}

/** A standard socket.io client, as pages use it. */
export function socketIoClient(
  base: string,
  sessionId: string | undefined,
  auth: SocketAuth,
  options: Partial<ManagerOptions & SocketOptions> = {},
): TestClient {
  const socket = io(base, {
    query: sessionId === undefined ? {} : { sessionId },
    auth: { ...auth },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 100,
    ...options,
  });
  open.push(() => socket.disconnect());
  const received: Received[] = [];
  socket.onAny((event: string, data: Record<string, unknown>) => received.push({ event, data }));
  socket.on('connect_error', (error) => received.push({ event: 'connect_error', data: { message: error.message } }));
  socket.on('disconnect', (reason) => received.push({ event: 'disconnect', data: { reason } }));
  return { socket, received, next: (event) => nextOf(received, event) };
}

export interface PlainClient {
  readonly socket: WebSocket;
  readonly received: Received[];
  readonly closed: Promise<{ code: number; reason: string }>;
  next(event: string): Promise<Record<string, unknown>>;
  send(event: string, data?: unknown): void;
}

/** A plain WebSocket, which sends `first` when it is open. */
export function plainClient(base: string, sessionId: string | undefined, first?: unknown, headers = {}): PlainClient {
  const query = sessionId === undefined ? '' : `?sessionId=${sessionId}`;
  const socket = new WebSocket(`${base.replace('http', 'ws')}/ws${query}`, { headers });
  open.push(() => socket.close());
  const received: Received[] = [];
  socket.addEventListener('open', () => {
    if (first !== undefined) socket.send(typeof first === 'string' ? first : JSON.stringify(first));
  });
  socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data)) as Received));
  socket.addEventListener('error', () => undefined);
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  });
  return {
    socket,
    received,
    closed,
    next: (event) => nextOf(received, event),
    send: (event, data) => socket.send(JSON.stringify({ event, ...(data === undefined ? {} : { data }) })),
  };
}

function nextOf(received: readonly Received[], event: string): Promise<Record<string, unknown>> {
  return vi.waitFor(
    () => {
      const found = received.find((each) => each.event === event);
      if (found === undefined) throw new Error(`no ${event} among ${JSON.stringify(received)}`);
      return found.data;
    },
    { timeout: 4_000, interval: 10 },
  );
}

export function browserCall(toolCallId = 'call-1'): FrontendCall {
  return { kind: 'browser_tool', toolCallId, toolName: 'read_page', args: { part: 'title' } };
}

export function actionCall(toolCallId = 'call-1'): FrontendCall {
  return { kind: 'action', toolCallId, toolName: 'show_map', args: { place: 'Mombasa' } };
}
