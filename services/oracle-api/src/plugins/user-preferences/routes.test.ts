import { userPreferences } from '@mlango/schemas/oracle-preferences';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it } from 'vitest';
import { headersOf, testApp } from '../../app.fixture.js';
import { MemoryPreferencesStore } from '../../store/memory-preferences-store.fixture.js';

describe('GET /user-preferences', () => {
  it('is the JSON null for a user who never set any, and the record for one who did', async () => {
    const preferences = new MemoryPreferencesStore();
    const { app } = await testApp({ preferences });
    const [asha, bo] = [await headersOf('a'), await headersOf('b')];
    const none = await app.inject({ url: '/user-preferences', headers: asha });
    expect([none.statusCode, none.body, none.headers['content-type']]).toEqual([
      200,
      'null',
      expect.stringContaining('application/json'),
    ]);
    const { did } = signerFromSeed(Buffer.alloc(32, 'a'));
    await preferences.merge(did, { userName: 'Asha', formality: 'casual' }, new Date(1_000));
    const record = (await app.inject({ url: '/user-preferences', headers: asha })).json();
    expect(userPreferences.strict().parse(record)).toEqual({
      userName: 'Asha',
      formality: 'casual',
      updatedAt: '1970-01-01T00:00:01.000Z',
    });
    expect((await app.inject({ url: '/user-preferences', headers: bo })).body).toBe('null');
    await app.close();
  });
});
