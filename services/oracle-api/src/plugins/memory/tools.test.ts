import { describe, expect, it } from 'vitest';
import { openTestStores } from '../../../test/stores.fixture.js';
import { oracleWith } from '../api/oracle-with.fixture.js';
import type { RecallStore } from './recall-store.js';
import { memoryLimit } from './recall-store.js';
import { memories } from './schema.js';

describe('remember', () => {
  it('refuses a memory above the limit, and explains that one must be forgotten first', async () => {
    const stores = await openTestStores();
    const { app, say, ownOf, did } = await oracleWith([], { stores });
    const facts = Array.from({ length: memoryLimit }, (_, index) => ({
      ownerDid: did,
      memoryId: `m-${index}`,
      kind: 'fact' as const,
      content: 'tea',
      createdAt: new Date(0),
    }));
    await stores.db.insert(memories).values(facts);
    expect(await say('use the tool remember with {"content":"one more"}')).toContain(
      'Something must be forgotten first.',
    );
    expect((await ownOf<RecallStore>('memory').list(did, { limit: 1, offset: 0 })).total).toBe(memoryLimit);
    await app.close();
  });

  it('stores no memory that is empty, too long, or of an unknown kind', async () => {
    const { app, say, ownOf, did } = await oracleWith([]);
    for (const args of [{ content: ' ' }, { content: 'x'.repeat(20_001) }, { content: 'x', kind: 'rumour' }, {}]) {
      expect(await say(`use the tool remember with ${JSON.stringify(args)}`)).toContain('The arguments do not fit');
    }
    expect((await ownOf<RecallStore>('memory').list(did, { limit: 1, offset: 0 })).total).toBe(0);
    await app.close();
  });
});

describe('recall', () => {
  it('searches within the pool of the routes, and reports a full pool to the model', async () => {
    const { app, did, poolOf, say } = await oracleWith([]);
    const pool = poolOf('memory_searches');
    const stop = new AbortController();
    const waits = Array.from({ length: 5 }, () => pool.acquire({ user: did, address: '10.0.0.1' }, stop));
    expect(await say('use the tool recall with {"query":"tea"}')).toContain('Too many of these at the same time');
    stop.abort();
    (await waits[0])?.release();
    await Promise.allSettled(waits);
    expect(await say('use the tool recall with {"query":"tea"}')).not.toContain('Too many');
    await app.close();
  });
});
