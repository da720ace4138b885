import { PluginError } from '../../api/plugin-error.js';
import type { Kv, KvValue, PluginKv } from '../../api/plugin-storage.js';
import type { Callers } from '../plugin-grants.js';
import type { PluginStateStore, StateRow } from './plugin-state-store.js';

/** Limits per plugin and user, and for the shared state. */
const kvLimits = { keys: 500, valueBytes: 16_384, listed: 100 };

const keyPattern = /^[\w.:/@$-]{1,200}$/;
const prefixPattern = /^[\w.:/@$-]{0,200}$/;

/** The state of one plugin. It names no plugin and no user, so other state is unreachable. */
export function pluginKv(store: PluginStateStore, plugin: string, callers: Callers, now: () => Date): PluginKv {
  return {
    shared: kvOf(store, plugin, '', now),
    ofCaller: (request) => kvOf(store, plugin, callers.of(request).did, now),
  };
}

/** The state of one plugin, for one user or shared (the empty text). */
export function kvOf(store: PluginStateStore, plugin: string, ownerDid: string, now: () => Date): Kv {
  const owner = { plugin, ownerDid };
  return {
    async get(key) {
      const row = await store.find(owner, checked(key), now());
      return row && entryOf(row);
    },
    async put(key, value, { version, expiresAt } = {}) {
      const text = textOf(value);
      if (Buffer.byteLength(text) > kvLimits.valueBytes) return { ok: false, code: 'too_large' };
      const { keys } = kvLimits;
      return store.put(owner, { key: checked(key), value: text, version, expiresAt, keys, at: now() });
    },
    async delete(key, { version } = {}) {
      return store.delete(owner, checked(key), version, now());
    },
    async list({ prefix = '', after = '', limit = kvLimits.listed } = {}) {
      const which = { prefix: checked(prefix, prefixPattern), after: checked(after, prefixPattern) };
      const atMost = Math.min(Math.max(Math.trunc(limit) || 1, 1), kvLimits.listed);
      return (await store.list(owner, { ...which, limit: atMost, at: now() })).map(entryOf);
    },
  };
}

function checked(key: string, pattern = keyPattern): string {
  if (!pattern.test(key)) throw new PluginError('a key is 1 to 200 letters, digits and _ . : / @ $ -');
  return key;
}

function textOf(value: KvValue): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new PluginError('the value is not JSON data');
  return text;
}

function entryOf({ value, ...row }: StateRow) {
  return { ...row, value: JSON.parse(value) as KvValue };
}
