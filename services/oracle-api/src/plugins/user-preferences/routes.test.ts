import { userPreferences } from '@mlango/schemas/oracle-preferences';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { describe, expect, it } from 'vitest';
import { headersOf, testApp } from '../../../test/app.fixture.js';
import { openTestStores } from '../../../test/stores.fixture.js';

describe('GET /user-preferences', () => {
  it('is the JSON null for a user without a record, and the record for others', async () => {
    const stores = await openTestStores();
    const { app } = await testApp({ stores });
    const [asha, bo] = [await headersOf('a'), await headersOf('b')];
    const none = await app.inject({ url: '/user-preferences', headers: asha });
    expect([none.statusCode, none.body, none.headers['content-type']]).toEqual([
      200,
      'null',
      expect.stringContaining('application/json'),
    ]);
    const { did } = signerFromSeed(Buffer.alloc(32, 'a'));
    await stores.preferences.merge(did, { userName: 'Asha', formality: 'casual' }, new Date(1_000));
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

describe('PUT /user-preferences', () => {
  it('replaces the whole record, of the caller only', async () => {
    const { app } = await testApp();
    const [asha, bo] = [await headersOf('a'), await headersOf('b')];
    const put = (payload: object) => app.inject({ method: 'PUT', url: '/user-preferences', headers: asha, payload });
    const first = await put({ userName: ' Asha ', tone: 'warm', formality: 'casual' });
    expect([first.statusCode, first.json()]).toEqual([
      200,
      { userName: 'Asha', tone: 'warm', formality: 'casual', updatedAt: expect.any(String) },
    ]);
    expect((await put({ language: 'sw' })).json()).toEqual({ language: 'sw', updatedAt: expect.any(String) });
    const found = await app.inject({ url: '/user-preferences', headers: asha });
    expect(found.json()).toEqual({ language: 'sw', updatedAt: expect.any(String) });
    expect((await app.inject({ url: '/user-preferences', headers: bo })).body).toBe('null');
    await app.close();
  });

  it.each([
    [{ formality: 'rude' }, 'formality'],
    [{ userName: '' }, 'userName'],
    [{ language: 'x'.repeat(21) }, 'language'],
    [{ customInstructions: 'x'.repeat(2_001) }, 'customInstructions'],
    [{ nickname: 'Asha' }, 'nickname'],
  ])('refuses %j, and names the invalid field', async (payload, field) => {
    const { app } = await testApp();
    const refused = await app.inject({
      method: 'PUT',
      url: '/user-preferences',
      headers: await headersOf('a'),
      payload,
    });
    expect([refused.statusCode, JSON.stringify(refused.json())]).toEqual([400, expect.stringContaining(field)]);
    await app.close();
  });
});
