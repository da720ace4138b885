import { createLogger } from '@mlango/service-kit/logging';
import { describe, expect, it } from 'vitest';
import { MemoryCreditLedger } from './memory-credit-ledger.fixture.js';
import type { Standing } from './subscription-api.js';
import { freshMs, staleMs, subscriptionGate } from './subscription-gate.js';

describe('while the subscription API is away', () => {
  it('who was let in of late still is, and nobody else', async () => {
    let nowMs = 0;
    let standing: Standing = { kind: 'active' };
    const gate = subscriptionGate(
      { standingOf: async () => standing },
      {
        own: new MemoryCreditLedger(),
        newId: () => 'id',
        now: () => new Date(nowMs),
        logger: createLogger({ service: 'test', level: 'silent' }),
      },
    );
    const ask = (ownerDid: string) => gate.demandOf({ ownerDid, sessionId: 's', runId: 'r' });
    expect(await ask('asha')).toBeUndefined();
    standing = { kind: 'away', cause: new Error('no route') };
    nowMs = freshMs;
    expect(await ask('asha')).toBeUndefined();
    await expect(ask('bo')).rejects.toThrow('cannot be checked');
    nowMs = staleMs;
    await expect(ask('asha')).rejects.toThrow('cannot be checked');
    standing = { kind: 'inactive', claims: ['c1'] };
    expect(await ask('asha')).toMatchObject({ claims: ['c1'] });
    standing = { kind: 'away', cause: new Error('no route') };
    await expect(ask('asha')).rejects.toThrow('cannot be checked');
  });
});
