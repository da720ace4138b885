import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { within } from '@mlango/async/within';
import { checkShape } from '../api/define-plugin.js';
import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import { bundledNames } from '../bundled.js';
import type { Features } from './resolve-features.js';

const folder = new URL('..', import.meta.url);
const file = `plugin${extname(import.meta.url)}`;

const loadLimitMs = 30_000;

/**
 * Loads the bundled plugins: one for each folder in `plugins/bundled.ts` that exists. Its module `plugin` exports the plugin under
 * the folder's name. A plugin that is switched off may fail to load. Rejects with a `PluginError` that names the plugin which cannot
 * be loaded.
 */
export async function bundledPlugins(features: Features = {}): Promise<OraclePlugin[]> {
  const names = bundledNames.filter((name) => existsSync(new URL(`${name}/${file}`, folder)));
  return Promise.all(names.map((name) => loadUnlessOff(name, features)));
}

async function loadUnlessOff(name: string, features: Features): Promise<OraclePlugin> {
  try {
    return await within(loadLimitMs, 'loading it', load(name));
  } catch (cause) {
    if (features[name] === false) return unloaded(name);
    const reason = cause instanceof Error ? cause.message : 'it threw a value that is not an error';
    throw new PluginError(`plugin "${name}" cannot be loaded: ${reason}`, { cause });
  }
}

async function load(name: string): Promise<OraclePlugin> {
  const loaded: Readonly<Record<string, OraclePlugin>> = await import(new URL(`${name}/${file}`, folder).href);
  const [plugin, ...others] = Object.values(loaded);
  if (plugin === undefined || others.length > 0) throw new PluginError(`${file} must export one thing: the plugin`);
  checkShape(plugin);
  if (plugin.name !== name) throw new PluginError(`its name is "${plugin.name}"`);
  return plugin;
}

/** Placeholder for a plugin that is off and cannot be loaded. */
function unloaded(name: string): OraclePlugin {
  const manifest = { title: name, summary: 'Cannot be loaded.', whenToUse: 'never.', visibility: 'silent' } as const;
  return { name, version: '0.0.0', manifest };
}
