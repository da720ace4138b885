import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createTestOracle, type TestOracle } from '../../create-test-oracle.js';
import type { MeteredTurn } from '../../runs/payment.js';
import { definePlugin } from '../api/define-plugin.js';
import { defineTool } from '../api/plugin-tool.js';

const told: MeteredTurn[] = [];

/** Charges 7 tokens for a look-up, and repeats each charge as after a lost reply. */
const shop = definePlugin({
  name: 'shop',
  version: '1.0.0',
  manifest: {
    title: 'Shop',
    summary: 'Looks things up for tokens.',
    whenToUse: 'something is looked up.',
    visibility: 'always',
    needs: ['credits:charge'],
  },
  getUsageMeter: () => ({
    record: (turn) => {
      told.push(turn);
    },
  }),
  getTools: ({ grants }) => [
    defineTool({
      name: 'look_up',
      description: 'Looks it up.',
      effects: 'none',
      inputSchema: z.object({ again: z.number() }),
      async execute({ again }, { user, idempotencyKey }) {
        const charges = grants['credits:charge'].of(user);
        for (let times = 0; times <= again; times++) await charges.charge(7, idempotencyKey);
        await charges.charge(1);
        await charges.charge(1);
      },
    }),
  ],
});

let oracle: TestOracle;
beforeAll(async () => {
  const env = { CREDITS: 'local', CREDITS_OPERATOR_TOKEN: 'an-operator-token-of-tests' };
  oracle = await createTestOracle({ plugins: [shop], env });
});
afterAll(() => oracle.close());

it('a charge with the key of a call is made once, despite repetitions; each charge without a key counts', async () => {
  const user = await oracle.newUser();
  const operator = { authorization: 'Bearer an-operator-token-of-tests' };
  const payload = { topUpId: 'x', did: user.did, tokens: 1_000_000 };
  await oracle.inject({ method: 'POST', url: '/credits/top-ups', headers: operator, payload });
  await user.callTool('look_up', { again: 3 });
  await user.callTool('look_up', { again: 1 });
  await vi.waitFor(() => expect(told.filter(({ outputTokens }) => outputTokens > 0)).toHaveLength(2));
  const { owed } = (await oracle.inject({ url: '/credits', headers: user.headers })).json<{ owed: number }>();
  const ofTurns = new Map(told.filter(({ outputTokens }) => outputTokens > 0).map((turn) => [turn.runId, turn]));
  const turns = [...ofTurns.values()].reduce((sum, turn) => sum + turn.inputTokens + turn.outputTokens, 0);
  expect([ofTurns.size, owed - turns]).toEqual([2, 2 * (7 + 1 + 1)]);
});
