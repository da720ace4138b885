import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import type { LanguageModel, ModelRequest } from '../src/models/language-model.js';
import { createTestOracle } from '../src/plugin-kit/create-test-oracle.js';
import { testTool } from '../src/plugin-kit/oracle-with.fixture.js';
import { testPlugin } from '../src/plugin-kit/plugin.fixture.js';

/** Calls the same tools with the same arguments for as long as it may call any. */
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

/** What a turn comes to with these settings: answer, questions to the model, and calls of each tool that were made. */
async function turnWith(env: Record<string, string>) {
  const made = { look: 0, poll: 0 };
  const { model, requests } = stubborn(['look', 'poll']);
  const look = testTool('look', () => ++made.look);
  const poll = { ...testTool('poll', () => ++made.poll), sameCalls: Number.POSITIVE_INFINITY };
  const oracle = await createTestOracle({
    env,
    model,
    plugins: [testPlugin('eyes', { getTools: () => [look, poll] })],
  });
  const answer = await (await oracle.newUser()).say('Go');
  await oracle.close();
  return { answer, asked: requests.length, made };
}

describe('what a turn may take', () => {
  it('is as it always was where nothing is set, and a tool that looks again may be called again', async () => {
    // Three calls that are refused end it before its eight steps.
    expect(await turnWith({})).toEqual({ answer: 'I give up.', asked: 6, made: { look: 2, poll: 5 } });
  });

  it('is as set', async () => {
    const few = await turnWith({ TURN_STEPS: '2', TURN_SAME_CALLS: '1' });
    expect(few).toEqual({ answer: 'I give up.', asked: 3, made: { look: 1, poll: 2 } });
    const many = await turnWith({ TURN_STEPS: '12', TURN_SAME_CALLS: '20' });
    expect(many).toEqual({ answer: 'I give up.', asked: 13, made: { look: 12, poll: 12 } });
  });

  it.each([
    ['TURN_STEPS', '0'],
    ['TURN_STEPS', '101'],
    ['TURN_SAME_CALLS', '0'],
    ['TURN_TIMEOUT_SECONDS', '9'],
    ['TURN_TIMEOUT_SECONDS', '1801'],
  ])('has bounds: not %s=%s', (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(variable);
  });
});
