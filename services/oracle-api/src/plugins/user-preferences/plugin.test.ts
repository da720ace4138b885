import { describe, expect, it } from 'vitest';
import { headersOf, newSession, testApp } from '../../../test/app.fixture.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { localModel } from '../../models/local/local-model.js';

/** The built-in model, which calls the tools that a message names, and its recorded requests. */
async function setUp(features: Record<string, boolean> = {}) {
  const requests: ModelRequest[] = [];
  const local = localModel({ paceMs: 0 });
  const model: LanguageModel = {
    ...local,
    stream: (request, signal) => {
      requests.push(request);
      return local.stream(request, signal);
    },
  };
  const { app } = await testApp({ model, features });
  const say = async (headers: Record<string, string>, message: string, session?: string) => {
    const sessionId = session ?? (await newSession(app, headers));
    await app.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload: { message } });
    return sessionId;
  };
  const set = (changes: object) => `use the tool set_user_preferences with ${JSON.stringify(changes)}`;
  const preferencesOf = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/user-preferences', headers })).json();
  return { app, say, set, requests, preferencesOf };
}

describe('preferences', () => {
  it('apply from the next message on, and in other sessions of the same user only', async () => {
    const { app, say, set, requests } = await setUp();
    const [asha, bo] = [await headersOf('a'), await headersOf('b')];
    const session = await say(asha, set({ userName: 'Alex', tone: 'dry' }));
    expect(requests[0]?.preferences).toBeUndefined();
    await say(asha, 'hello', session);
    expect(requests.at(-1)?.preferences).toMatchObject({ userName: 'Alex', tone: 'dry' });
    await say(asha, 'hello');
    expect(requests.at(-1)?.instructions).toContain('Call the user: "Alex"');
    await say(bo, 'hello');
    expect(requests.at(-1)?.instructions).not.toContain('Alex');
    await app.close();
  });

  it('that are not named stay unchanged', async () => {
    const { app, say, set, preferencesOf } = await setUp();
    const asha = await headersOf('a');
    await say(asha, set({ userName: 'Alex', language: 'sw' }));
    await say(asha, set({ language: 'fr' }));
    expect(await preferencesOf(asha)).toMatchObject({ userName: 'Alex', language: 'fr' });
    await app.close();
  });

  it('that are invalid are refused, with an error text for the model', async () => {
    const { app, say, set, requests, preferencesOf } = await setUp();
    const asha = await headersOf('a');
    for (const [changes, problem] of [
      [{ formality: 'rude' }, 'The arguments do not fit: formality'],
      [{ userName: 'x'.repeat(81) }, 'The arguments do not fit: userName'],
      [{}, 'Name at least one preference'],
    ] as const) {
      await say(asha, set(changes));
      expect(requests.at(-1)?.messages.at(-1)?.content).toContain(problem);
    }
    expect(await preferencesOf(asha)).toBeNull();
    await app.close();
  });

  it('are neither read nor set without the plugin', async () => {
    const { app, say, requests } = await setUp({ 'user-preferences': false });
    const asha = await headersOf('a');
    await say(asha, 'hello');
    expect(requests[0]?.tools?.map(({ name }) => name)).not.toContain('set_user_preferences');
    expect((await app.inject({ url: '/user-preferences', headers: asha })).statusCode).toBe(404);
    await app.close();
  });
});
