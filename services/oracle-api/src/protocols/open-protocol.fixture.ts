import { onTestFinished } from 'vitest';
import { authOf, listening } from '../sockets/sockets.fixture.js';
import type { ProtocolName } from './names.js';

export type DoorOptions = Parameters<typeof listening>[0];

/** The service with one door open, until the test has finished, and the headers of its users, by letter. */
export async function openDoor(door: ProtocolName, options: DoorOptions = {}) {
  const service = await listening({ doors: [door], ...options });
  onTestFinished(async () => {
    const closed = service.close();
    service.app.server.closeAllConnections();
    await closed;
  });
  const headersOf = async (letter: string) => {
    const { invocation } = await authOf(letter);
    return { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' };
  };
  /** A call of our own routes. */
  const own = async <Reply>(letter: string, path: string, method = 'GET', body?: object): Promise<Reply> => {
    const headers = { ...(await headersOf(letter)), 'content-type': 'application/json' };
    const reply = await fetch(`${service.base}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return reply.json() as Promise<Reply>;
  };
  /** What a session has, by our own routes. */
  const listed = async (letter: string, id: string) =>
    (await own<{ messages: { content: string; toolCalls?: object[] }[] }>(letter, `/messages/${id}`)).messages;
  /** `fetch` as that user, for clients that take one: with the bearer alone, as the doors have it. */
  const fetchAs = async (letter: string): Promise<typeof fetch> => {
    const { authorization } = await headersOf(letter);
    return (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', authorization);
      return fetch(url, { ...init, headers });
    };
  };
  return { ...service, headersOf, own, listed, fetchAs };
}
