import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import type { ModelRequest } from '../src/models/language-model.js';
import { localModel } from '../src/models/local/local-model.js';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import type { RuntimeContext } from '../src/plugins/api/runtime-context.js';

/** Requests to the model and contexts of a plugin, by turn. */
const requests: ModelRequest[] = [];
const contexts: RuntimeContext[] = [];
const local = localModel({ paceMs: 0 });
const model: typeof local = {
  ...local,
  stream: (request, signal) => {
    requests.push(request);
    return local.stream(request, signal);
  },
};
const watching = testPlugin('watching', {
  getRequestTools: (context) => {
    contexts.push(context);
    return [];
  },
});

let oracle: TestOracle;
let user: TestUser;
beforeAll(async () => {
  oracle = await createTestOracle({ model, plugins: [watching] });
});
afterAll(() => oracle.close());

const get = async ({ headers }: TestUser, url: string) => (await oracle.inject({ url, headers })).json();

describe('the preferences of a user', () => {
  beforeAll(async () => {
    user = await oracle.newUser();
  });

  it("are changed only by the agent at the user's request", async () => {
    await user.say('Hello');
    expect(await get(user, '/user-preferences')).toBeNull();
    const form = { language: 'Swahili', tone: 'cheerful', formality: 'formal', responseLength: 'short' };
    await user.say('Call me Alex');
    await user.say('Call yourself Zuri');
    await user.callTool('set_user_preferences', { ...form, format: 'bullet points' });
    await user.callTool('set_user_preferences', { customInstructions: 'end with a proverb' });
    expect(await get(user, '/user-preferences')).toEqual({
      userName: 'Alex',
      agentName: 'Zuri',
      language: 'Swahili',
      tone: 'cheerful',
      formality: 'formal',
      responseLength: 'short',
      format: 'bullet points',
      customInstructions: 'end with a proverb',
      updatedAt: expect.any(String),
    });
  });

  it('are available to the model and every plugin from the first request of a session', async () => {
    requests.length = 0;
    contexts.length = 0;
    await user.say('Hello');
    expect(requests[0]?.messages).toHaveLength(1);
    for (const instruction of [
      'Call the user: "Alex"',
      'The user calls you: "Zuri"',
      'Swahili',
      'cheerful',
      'formal',
      'short',
      'bullet points',
      'end with a proverb',
    ]) {
      expect(requests[0]?.instructions).toContain(instruction);
    }
    expect(contexts[0]?.preferences).toMatchObject({ userName: 'Alex', format: 'bullet points' });
  });

  it('outlive the session in which they were set', async () => {
    const asha = await oracle.newUser();
    const session = await asha.openSession();
    await asha.say('Call me Asha', session);
    await oracle.inject({ method: 'DELETE', url: `/sessions/${session}`, headers: asha.headers });
    expect(await asha.say('Hello')).toContain('Hello, Asha!');
  });

  it('belong to the room of the session if it has one, else to the user', async () => {
    const asha = await oracle.newUser();
    const { headers } = asha;
    const openIn = async (roomId: string) =>
      (await oracle.inject({ method: 'POST', url: '/sessions', headers, payload: { roomId } })).json().sessionId;
    await asha.say('Call me Asha');
    const [work, home] = [await openIn('!work:example.org'), await openIn('!home:example.org')];
    expect(await asha.say('Hello', work)).toContain('Hello, Asha!');
    await asha.say('Call me Doctor', work);
    await asha.say('use the tool set_user_preferences with {"tone":"dry"}', work);
    expect(await asha.say('Hello', await openIn('!work:example.org'))).toContain('Hello, Doctor!');
    expect(requests.at(-1)?.instructions).toContain('dry');
    expect([await asha.say('Hello', home), await asha.say('Hello')]).toEqual([
      expect.stringContaining('Hello, Asha!'),
      expect.stringContaining('Hello, Asha!'),
    ]);
    expect(requests.at(-1)?.instructions).not.toContain('dry');
    expect(await get(asha, '/user-preferences')).toEqual({ userName: 'Asha', updatedAt: expect.any(String) });
  });

  it('of one user do not affect another user', async () => {
    const [one, other] = [await oracle.newUser(), await oracle.newUser()];
    await Promise.all([one.say('Call me Neema'), other.say('Call me Baraka')]);
    expect([await one.say('Hello'), await other.say('Hello')]).toEqual([
      expect.stringContaining('Hello, Neema!'),
      expect.stringContaining('Hello, Baraka!'),
    ]);
  });
});

describe('facts and artifacts', () => {
  const memories = async (somebody: TestUser) => (await get(somebody, '/memories')).memories;

  it('are stored as memories and never as preferences, and the reverse', async () => {
    const asha = await oracle.newUser();
    await asha.say('Remember that my goat is called Zuri');
    await asha.callTool('remember', { content: '12 bags of maize', kind: 'artifact', title: 'Harvest' });
    expect(await get(asha, '/user-preferences')).toBeNull();
    expect(await memories(asha)).toHaveLength(2);
    await asha.say('Call me Asha');
    expect(await memories(asha)).toHaveLength(2);
  });

  it('cannot be stored as preferences under any name', async () => {
    const asha = await oracle.newUser();
    expect((await asha.callTool('set_user_preferences', { goat: 'Zuri' })).status).toBe('error');
    await asha.callTool('set_user_preferences', { tone: 'dry', goat: 'Zuri' });
    expect(await get(asha, '/user-preferences')).not.toHaveProperty('goat');
    const tool = requests.at(-1)?.tools?.find(({ name }) => name === 'set_user_preferences');
    expect(tool?.description).toContain('Facts about the user do not belong here');
  });
});

describe('an oracle with features: { "user-preferences": false }', { timeout: 60_000 }, () => {
  it('has neither the tool, the route nor its description, and answers', async () => {
    const without = await createTestOracle({ features: { 'user-preferences': false } });
    const asha = await without.newUser();
    expect(await asha.say('Call me Asha')).not.toContain('I will call you');
    expect(await asha.say('Hello')).toContain('Hello! I am');
    await expect(asha.callTool('set_user_preferences', { tone: 'dry' })).rejects.toThrow('no such tool');
    const reply = await without.inject({ url: '/user-preferences', headers: asha.headers });
    expect([reply.statusCode, reply.json().statusCode]).toEqual([404, 404]);
    expect((await without.inject({ url: '/docs/json' })).json().paths).not.toHaveProperty('/user-preferences');
    await without.close();
  });
});
