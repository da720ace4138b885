import { describe, expect, it } from 'vitest';
import { openTestStores } from '../../../test/stores.fixture.js';
import type { LanguageModel } from '../../models/language-model.js';
import { gate, scriptedModel } from '../../models/scripted-model.fixture.js';
import { noTelemetry } from '../telemetry.js';
import { Turn } from '../turn.js';
import { noUsage } from '../usage.js';
import { requestModelStep } from './model-step.js';

/** Stops a turn while a plugin delays its model request. */
async function stoppedBefore(wait: Promise<void>): Promise<Turn> {
  const { model } = scriptedModel([gate().opened]);
  const turn = new Turn({ ownerDid: 'o', sessionId: 's', requestId: 'q', message: 'hi', model, isFollowed: true }, 'r');
  const around = (inner: LanguageModel): LanguageModel => ({
    ...inner,
    async *stream(...asked) {
      await wait;
      yield* inner.stream(...asked);
    },
  });
  const request = { messages: [{ role: 'user', content: 'hi' }], oracleName: '', now: new Date(0) } as const;
  const { calls } = await openTestStores();
  const asking = requestModelStep(turn, { around }, request, {
    oracleName: '',
    now: () => new Date(0),
    newId: () => 'c',
    events: { publish: () => undefined, isFull: false, room: async () => undefined },
    calls,
    limits: { steps: 8, sameCalls: 2 },
    approvalMs: 1_000,
    telemetry: noTelemetry,
    log: { error: () => undefined },
  });
  await new Promise((resolve) => setImmediate(resolve));
  turn.stop('aborted');
  await asking;
  return turn;
}

describe('a turn stopped before the first output of its model', () => {
  it('is free when the request was not sent', async () => {
    expect((await stoppedBefore(gate().opened)).draft.usage).toBe(noUsage);
  });

  it('is charged for its input when the request was sent', async () => {
    const { usage } = (await stoppedBefore(Promise.resolve())).draft;
    expect(usage).toMatchObject({ isEstimated: true, outputTokens: 0 });
    expect(usage.inputTokens).toBeGreaterThan(0);
  });
});
