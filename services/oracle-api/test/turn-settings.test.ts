import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { createTestOracle } from '../src/create-test-oracle.js';
import type { LanguageModel, ModelRequest } from '../src/models/language-model.js';
import { testTool } from '../src/plugins/api/oracle-with.fixture.js';
import { manifestOf, testPlugin } from '../src/plugins/api/plugin.fixture.js';
import type { PluginLimits } from '../src/plugins/api/plugin.js';

/** Repeats the same tool calls for as long as it may call tools. */
function stubborn(names: readonly string[]) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    async *stream(request) {
      if (request.tools === undefined) return yield { type: 'text', delta: 'A title' };
      requests.push(request);
      if (request.mayCall === false) return yield { type: 'text', delta: 'I give up.' };
      for (const name of names) yield { type: 'tool_call', call: { name, args: {} } };
    },
  };
  return { model, requests };
}

/** Result of a turn with these settings: answer, model requests, and executed calls of each tool. */
async function turnWith(env: Record<string, string>, limits: PluginLimits = {}) {
  const made = { look: 0, poll: 0 };
  const { model, requests } = stubborn(['look', 'poll']);
  const look = testTool('look', () => ++made.look);
  const poll = { ...testTool('poll', () => ++made.poll), sameCalls: Number.POSITIVE_INFINITY };
  const oracle = await createTestOracle({
    env,
    model,
    plugins: [testPlugin('eyes', { manifest: { ...manifestOf('always'), limits }, getTools: () => [look, poll] })],
  });
  const answer = await (await oracle.newUser()).say('Go');
  await oracle.close();
  return { answer, steps: requests.length, made };
}

describe('the limits of a turn', () => {
  it('have defaults, and a tool with its own limit of repetitions may be repeated more', async () => {
    // Three refused calls end it before its eight steps.
    expect(await turnWith({})).toEqual({ answer: 'I give up.', steps: 6, made: { look: 2, poll: 5 } });
  });

  it('are set by variables', async () => {
    const few = await turnWith({ TURN_STEPS: '2', TURN_SAME_CALLS: '1' });
    expect(few).toEqual({ answer: 'I give up.', steps: 3, made: { look: 1, poll: 2 } });
    const many = await turnWith({ TURN_STEPS: '12', TURN_SAME_CALLS: '20' });
    expect(many).toEqual({ answer: 'I give up.', steps: 13, made: { look: 12, poll: 12 } });
  });

  it('are lower for tools of a plugin that sets them, and PLUGIN_LIMITS overrides those', async () => {
    const own = await turnWith({}, { steps: 3, sameCalls: 1 });
    expect(own.made).toEqual({ look: 1, poll: 3 });
    const set = await turnWith({ PLUGIN_LIMITS: 'eyes:steps=5,eyes:sameCalls=4' }, { steps: 3, sameCalls: 1 });
    expect(set.made).toEqual({ look: 4, poll: 4 });
  });

  it('include a time for the tools of a plugin: a longer call is ended, and no other is made', async () => {
    const { model } = stubborn(['wait']);
    let begun = 0;
    const wait = testTool('wait', () => {
      begun += 1;
      return new Promise(() => undefined);
    });
    const manifest = { ...manifestOf('always'), limits: { seconds: 30 } };
    const plugins = [testPlugin('slow', { manifest, getTools: () => [{ ...wait, effects: 'none' as const }] })];
    const oracle = await createTestOracle({ env: { PLUGIN_LIMITS: 'slow:seconds=1' }, model, plugins });
    const user = await oracle.newUser();
    const session = await user.openSession();
    await user.say('Go', session);
    const reply = await oracle.inject({ url: `/messages/${session}`, headers: user.headers });
    const outputs = reply
      .json()
      .messages.at(-1)
      .toolCalls.map(({ output }: { output: string }) => output);
    expect(begun).toBe(1);
    expect(outputs[0]).toContain('longer than 1 seconds');
    expect(outputs[1]).toContain('have had all the time');
    await oracle.close();
  });

  it('refuse unknown plugins', async () => {
    await expect(createTestOracle({ env: { PLUGIN_LIMITS: 'eye:steps=1' } })).rejects.toThrow(
      'PLUGIN_LIMITS: there is no plugin called eye',
    );
    for (const value of ['eyes', 'eyes:steps=0', 'eyes:days=1']) {
      expect(() => readConfig({ PLUGIN_LIMITS: value })).toThrow('PLUGIN_LIMITS');
    }
  });

  it.each([
    ['TURN_STEPS', '0'],
    ['TURN_STEPS', '101'],
    ['TURN_SAME_CALLS', '0'],
    ['TURN_TIMEOUT_SECONDS', '9'],
    ['TURN_TIMEOUT_SECONDS', '1801'],
  ])('have bounds: %s=%s is refused', (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(variable);
  });
});
