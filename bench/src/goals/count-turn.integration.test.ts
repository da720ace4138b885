import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTurn, type TurnCounts } from './count-turn.js';
import { startStores } from './start-service.js';

/** Of a Redis and a Postgres, which may be missing on a machine of somebody who tries things. */
const stores = await startStores().catch((error: unknown) => {
  if (process.env['REQUIRE_REAL_SERVICES'] === '1') throw error;
  return undefined;
});

describe.skipIf(stores === undefined)('a turn of one word', { timeout: 120_000 }, () => {
  let counts: TurnCounts;
  beforeAll(async () => {
    if (stores !== undefined) counts = await countTurn(stores);
  }, 120_000);
  afterAll(() => stores?.stop());

  it('asks Postgres four times: who calls, the message, what there is to know, and the answer', () => {
    expect(counts.statements).toHaveLength(4);
    expect(counts.statements.join('\n')).toMatch(
      /ucan_revocations[\s\S]+insert into "runs"[\s\S]+conversation_summaries[\s\S]+update "runs"/,
    );
  });

  it('asks Redis no more often than it did', () => {
    expect(counts.trips.length).toBeLessThanOrEqual(6);
  });
});
