import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle, type TestUser } from '../../create-test-oracle.js';
import type { LanguageModel, ModelPart } from '../../models/language-model.js';

const turnTokens = 4_000;
const capNotice = `I stop here: this answer has reached the ${turnTokens} tokens`;

describe('a turn that would exceed the limit of a turn', () => {
  let steps = 0;
  let step: () => Iterable<ModelPart> = () => [];
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    async *stream() {
      steps += 1;
      yield* step();
    },
  };
  let oracle: TestOracle;
  let user: TestUser;
  beforeAll(async () => {
    oracle = await createTestOracle({ model, env: { CREDITS: 'local', CREDITS_TURN_TOKENS: String(turnTokens) } });
  });
  afterAll(() => oracle.close());
  beforeEach(async () => {
    steps = 0;
    user = await oracle.newUser();
    const payload = { topUpId: user.did, did: user.did, tokens: 1 };
    await oracle.inject({ method: 'POST', url: '/credits/top-ups', payload });
  });
  /** Usage with a balance of 1, which is the lowest possible balance below zero. */
  const owed = async () => {
    const { owed: tokens, held } = (await oracle.inject({ url: '/credits', headers: user.headers })).json();
    expect(held).toBe(0);
    return Number(tokens);
  };

  const finishReason = async () => {
    const { sessions } = (await oracle.inject({ url: '/sessions', headers: user.headers })).json();
    const url = `/messages/${sessions[0].sessionId}`;
    return (await oracle.inject({ url, headers: user.headers })).json().messages.at(-1).finishReason;
  };

  it('stops while it writes, and explains why', async () => {
    step = function* () {
      for (let at = 0; at < 10_000; at++) yield { type: 'text', delta: 'On and on. ' };
    };
    const said = await user.say('Tell me a long story');
    expect(said).toContain('On and on. ');
    expect(said).toContain(`\n\n${capNotice}`);
    expect(await finishReason()).toBe('length');
    expect(await owed()).toBeGreaterThan(turnTokens * 0.9);
    expect(await owed()).toBeLessThanOrEqual(turnTokens);
  });

  it('gets no further step if the counted tokens show that the step would not fit', async () => {
    step = function* () {
      yield { type: 'tool_call', call: { name: 'no_such_tool', args: { step: steps } } };
      yield { type: 'usage', usage: { inputTokens: 1_900, outputTokens: 50 } };
    };
    expect(await user.say('Look into everything')).toContain(capNotice);
    expect([steps, await owed()]).toEqual([2, 2 * 1_950]);
  });

  it('is refused at once if the message alone is too long', async () => {
    expect(await user.say('word '.repeat(6_000))).toContain(capNotice);
    expect([steps, await owed()]).toEqual([0, 0]);
  });
});
