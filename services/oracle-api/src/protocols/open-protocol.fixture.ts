import { onTestFinished, TestRunner } from 'vitest';
import { authOf, listening } from '../sockets/sockets.fixture.js';
import type { ProtocolName } from './names.js';

export type DoorOptions = Parameters<typeof listening>[0];

/**
 * Starts the service with one protocol enabled. Returns headers and clients of users, by letter. It is closed after the test;
 * what opens it outside a test calls `close`.
 */
export async function openDoor(door: ProtocolName, options: DoorOptions = {}) {
  const service = await listening({ protocols: [door], ...options });
  const close = async () => {
    const closed = service.close();
    service.app.server.closeAllConnections();
    await closed;
  };
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(close);
  const headersOf = async (letter: string) => {
    const { invocation } = await authOf(letter);
    return { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' };
  };
  /** Calls a REST route. */
  const own = async <Reply>(letter: string, path: string, method = 'GET', body?: object): Promise<Reply> => {
    const headers = { ...(await headersOf(letter)), 'content-type': 'application/json' };
    const reply = await fetch(`${service.base}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return reply.json() as Promise<Reply>;
  };
  /** Messages of a session, by the REST route. */
  const listed = async (letter: string, id: string) =>
    (await own<{ messages: { content: string; toolCalls?: object[] }[] }>(letter, `/messages/${id}`)).messages;
  /** `fetch` as that user, with the bearer token only. */
  const fetchAs = async (letter: string): Promise<typeof fetch> => {
    const { authorization } = await headersOf(letter);
    return (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', authorization);
      return fetch(url, { ...init, headers });
    };
  };
  return { ...service, close, headersOf, own, listed, fetchAs };
}
