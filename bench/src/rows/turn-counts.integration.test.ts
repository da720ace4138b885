import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStores } from '../stores.js';
import { countTurn, type TurnCounts } from './oracle.js';

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

  it('sends four SQL statements: revocations, the message, the history, and the answer', () => {
    expect(counts.statements).toHaveLength(4);
    expect(counts.statements.join('\n')).toMatch(
      /ucan_revocations[\s\S]+insert into "runs"[\s\S]+conversation_summaries[\s\S]+update "runs"/,
    );
  });

  it('makes at most six round trips to Redis', () => {
    expect(counts.trips.length).toBeLessThanOrEqual(6);
  });
});
