import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PluginStateStore, StateOwner, StatePut } from './plugin-state-store.js';

const at = new Date(10_000);
const later = new Date(20_000);
const newOwner = (plugin = 'weather'): StateOwner => ({ plugin, ownerDid: `did:key:${randomUUID()}` });
const put = (key: string, value: string, more: Partial<StatePut> = {}): StatePut => ({
  key,
  value,
  version: undefined,
  expiresAt: undefined,
  keys: 10,
  at,
  ...more,
});

/** Contract of every adapter of the port. */
export function pluginStateStoreContract(name: string, open: () => PluginStateStore): void {
  describe(`${name} stores state of plugins`, () => {
    const all = { prefix: '', after: '', limit: 10, at };

    it('returns exactly the stored values, replaced or not', async () => {
      const [store, owner] = [open(), newOwner()];
      expect(await store.find(owner, 'home', at)).toBeUndefined();
      const odd = JSON.stringify('Dar\u0000 \ud800 é');
      expect(await store.put(owner, put('home', odd))).toMatchObject({ ok: true });
      expect(await store.find(owner, 'home', at)).toMatchObject({ key: 'home', value: odd });
      await store.put(owner, put('home', '2'));
      expect(await store.find(owner, 'home', at)).toMatchObject({ value: '2' });
      expect(await store.find(owner, 'hom', at)).toBeUndefined();
    });

    it('separates plugins, and users', async () => {
      const [store, owner] = [open(), newOwner()];
      const others = [{ ...owner, plugin: 'other' }, newOwner(), { ...owner, ownerDid: '' }];
      const { version } = (await store.put(owner, put('home', '1'))) as { version: number };
      for (const other of others) {
        expect(await store.find(other, 'home', at)).toBeUndefined();
        expect(await store.list(other, all)).toEqual([]);
        expect(await store.delete(other, 'home', undefined, at)).toBe(false);
        expect(await store.put(other, put('home', '2', { version }))).toEqual({ ok: false, code: 'changed' });
        expect(await store.put(other, put('home', '2'))).toMatchObject({ ok: true });
      }
      expect(await store.find(owner, 'home', at)).toMatchObject({ value: '1', version });
      for (const other of others) await store.delete(other, 'home', undefined, at);
    });

    it('compares versions, which only increase, also across deletions', async () => {
      const [store, owner] = [open(), newOwner()];
      const changed = { ok: false, code: 'changed' };
      const first = (await store.put(owner, put('a', '1', { version: 0 }))) as { version: number };
      expect(await store.put(owner, put('a', '2', { version: 0 }))).toEqual(changed);
      const second = (await store.put(owner, put('a', '2', { version: first.version }))) as { version: number };
      expect(second.version).toBeGreaterThan(first.version);
      expect(await store.put(owner, put('a', '3', { version: first.version }))).toEqual(changed);
      expect(await store.delete(owner, 'a', first.version, at)).toBe(false);
      expect(await store.delete(owner, 'a', second.version, at)).toBe(true);
      expect(await store.delete(owner, 'a', undefined, at)).toBe(false);
      const third = (await store.put(owner, put('a', '4'))) as { version: number };
      expect(third.version).toBeGreaterThan(second.version);
      expect(await store.put(owner, put('a', '5', { version: first.version }))).toEqual(changed);
    });

    it('accepts one of several puts with the same version', async () => {
      const [store, owner] = [open(), newOwner()];
      const puts = Array.from({ length: 8 }, (_, n) => store.put(owner, put('a', `${n}`, { version: 0 })));
      expect((await Promise.all(puts)).filter(({ ok }) => ok)).toHaveLength(1);
    });

    it('never exceeds the maximum of keys, also under concurrency, and still replaces existing keys', async () => {
      const [store, owner] = [open(), newOwner()];
      const puts = Array.from({ length: 8 }, (_, n) => store.put(owner, put(`key-${n}`, '1', { keys: 3 })));
      const outcomes = await Promise.all(puts);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3);
      expect(outcomes).toContainEqual({ ok: false, code: 'full' });
      const [stored] = await store.list(owner, all);
      expect(await store.put(owner, put(stored?.key ?? '', '2', { keys: 3 }))).toMatchObject({ ok: true });
      expect(await store.list(owner, all)).toHaveLength(3);
    });

    it('lists keys with a prefix, in order, page by page', async () => {
      const [store, owner] = [open(), newOwner()];
      for (const key of ['b/_', 'b/a', 'a/1', 'b/B', 'b%', 'b_x']) await store.put(owner, put(key, '1'));
      const keys = async (which: object) => (await store.list(owner, { ...all, ...which })).map(({ key }) => key);
      expect(await keys({ prefix: 'b/' })).toEqual(['b/B', 'b/_', 'b/a']);
      expect(await keys({ prefix: 'b/', limit: 2 })).toEqual(['b/B', 'b/_']);
      expect(await keys({ prefix: 'b/', after: 'b/_' })).toEqual(['b/a']);
      expect(await keys({ prefix: 'b%' })).toEqual(['b%']);
    });

    it('treats expired entries as absent: not found, not listed, not counted, not compared', async () => {
      const [store, owner] = [open(), newOwner()];
      const until = new Date(15_000);
      const { version } = (await store.put(owner, put('a', '1', { expiresAt: until }))) as { version: number };
      expect(await store.find(owner, 'a', at)).toBeDefined();
      expect(await store.find(owner, 'a', until)).toBeUndefined();
      expect(await store.list(owner, { ...all, at: later })).toEqual([]);
      expect(await store.delete(owner, 'a', undefined, later)).toBe(false);
      expect(await store.put(owner, put('a', '2', { version, at: later }))).toEqual({ ok: false, code: 'changed' });
      expect(await store.put(owner, put('b', '2', { keys: 1, at: later }))).toMatchObject({ ok: true });
    });

    it('stores a new value over an expired one', async () => {
      const [store, owner] = [open(), newOwner()];
      await store.put(owner, put('a', '1', { expiresAt: new Date(15_000) }));
      expect(await store.put(owner, put('a', '2', { version: 0, at: later }))).toMatchObject({ ok: true });
      expect(await store.find(owner, 'a', later)).toMatchObject({ value: '2' });
    });
  });
}
