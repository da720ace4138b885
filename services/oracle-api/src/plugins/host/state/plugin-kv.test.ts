import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { headersOf } from '../../../../test/app.fixture.js';
import { openTestStores } from '../../../../test/stores.fixture.js';
import { oracleWith } from '../../api/oracle-with.fixture.js';
import { testPlugin } from '../../api/plugin.fixture.js';
import { defineTool } from '../../api/plugin-tool.js';
import { kvOf } from './plugin-kv.js';
import { pluginState as table } from './schema.js';

const keeping = (name: string) =>
  testPlugin(name, {
    getTools: () => [
      defineTool({
        name: `keep_${name}`,
        description: 'Keeps.',
        inputSchema: z.object({ text: z.string() }),
        execute: ({ text }, { kv }) => kv.put('text', text),
      }),
    ],
    getRoutes: ({ kv }) => [
      (app) => {
        app.get(`/${name}`, async (request) => (await kv.ofCaller(request).list()).map(({ value }) => value));
        app.get(`/${name}/shared`, async () => kv.shared.list());
        app.get(`/${name}/open`, async (request) => kv.ofCaller(request).list());
      },
    ],
    getAuthExcludedRoutes: () => [`/${name}/open`],
  });

describe('state of a plugin', () => {
  it('belongs to the user of the turn and to the plugin, and is invisible to others', async () => {
    const { app, say } = await oracleWith([keeping('one'), keeping('two')]);
    await say('use the tool keep_one with {"text":"Dodoma"}');
    const read = async (url: string, user: string) => {
      const reply = await app.inject({ url, headers: await headersOf(user) });
      return reply.json<unknown>();
    };
    expect(await read('/one', 'a')).toEqual(['Dodoma']);
    expect(await read('/one', 'b')).toEqual([]);
    expect(await read('/two', 'a')).toEqual([]);
    expect(await read('/one/shared', 'a')).toEqual([]);
    expect((await app.inject({ url: '/one/open' })).statusCode, 'without an authenticated user').toBe(500);
    await app.close();
  });

  it('has limits for the letters and length of keys, the bytes of values, and the length of lists', async () => {
    const { db, pluginState } = await openTestStores();
    const [plugin, ownerDid] = ['p', 'did:key:a'];
    const kv = kvOf(pluginState, plugin, ownerDid, () => new Date(0));
    for (const key of ['', 'a b', 'a\u0000', 'k'.repeat(201)]) {
      await expect(kv.put(key, 1)).rejects.toThrow('a key is');
      await expect(kv.get(key)).rejects.toThrow('a key is');
    }
    await expect(kv.put('a', undefined as never)).rejects.toThrow('JSON');
    expect(await kv.put('a', 'é'.repeat(8_191))).toMatchObject({ ok: true });
    expect(await kv.put('a', 'é'.repeat(8_192))).toEqual({ ok: false, code: 'too_large' });
    const more = Array.from({ length: 499 }, (_, n) => ({ plugin, ownerDid, key: `k${n}`, value: `${n}`, version: n }));
    await db.insert(table).values(more);
    expect(await kv.put('one-more', 1)).toEqual({ ok: false, code: 'full' });
    expect(await kv.list({ limit: 1_000 })).toHaveLength(100);
    expect(await kv.list({ limit: Number.NaN })).toHaveLength(1);
  });
});
