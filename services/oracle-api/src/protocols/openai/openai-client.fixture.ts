import OpenAI from 'openai';
import { afterAll } from 'vitest';
import { authOf, listening } from '../../sockets/sockets.fixture.js';

/** The service with the OpenAI API enabled, and the official client for a user. */
export async function openAiService(options: Parameters<typeof listening>[0] = {}) {
  const service = await listening({ protocols: ['openai'], ...options });
  const clientOf = async (letter: string) =>
    new OpenAI({
      baseURL: `${service.base}/v1`,
      apiKey: (await authOf(letter)).invocation,
      maxRetries: 0,
    });
  /** REST routes as the same user. */
  const ownOf = async (letter: string) => {
    const { invocation } = await authOf(letter);
    const headers = { authorization: `Bearer ${invocation}`, 'x-auth-type': 'ucan' };
    return async <Reply>(path: string, method = 'GET', body?: object): Promise<Reply> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const json = { ...headers, 'content-type': 'application/json' };
      return (await fetch(`${service.base}${path}`, { method, headers: json, ...sent })).json() as Promise<Reply>;
    };
  };
  /** Clients keep connections open for later requests. */
  const close = async () => {
    const closing = service.close();
    service.app.server.closeAllConnections();
    await closing;
  };
  return { ...service, clientOf, ownOf, close };
}

/** Starts the service for all tests of a file or of a `describe`, with a user: as the official client, and on the REST routes. */
export async function userOfService() {
  const service = await openAiService();
  afterAll(service.close);
  return { service, asha: await service.clientOf('a'), own: await service.ownOf('a') };
}

export const zoom = {
  type: 'function' as const,
  function: {
    name: 'zoom',
    description: 'Zooms the page',
    parameters: { type: 'object', properties: { by: { type: 'number' } } },
  },
};
