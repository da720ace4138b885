import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { within } from '@mlango/service-kit/within';
import { checkShape } from '../plugin-kit/define-plugin.js';
import type { OraclePlugin } from '../plugin-kit/plugin.js';
import { PluginError } from '../plugin-kit/plugin-error.js';
import type { Features } from './resolve-features.js';

const folder = new URL('../plugins/', import.meta.url);
const file = `plugin${extname(import.meta.url)}`;

/** In a working copy: what the compiler has made this from. It leaves the output of what is gone where it is. */
const sources = new URL('../../src/plugins/', import.meta.url);

const loadLimitMs = 30_000;

/**
 * The plugins that every oracle comes with: one for each folder of `plugins/` that has a `plugin` file, whose only export it is,
 * under the folder's name. One that is switched off may be broken.
 * Rejects with a `PluginError` that names the plugin which cannot be loaded.
 */
export async function bundledPlugins(features: Features = {}): Promise<OraclePlugin[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && isPlugin(entry.name)).map(({ name }) => name);
  return Promise.all(names.toSorted().map((name) => loadUnlessOff(name, features)));
}

function isPlugin(name: string): boolean {
  const isLeftOver = existsSync(sources) && !existsSync(new URL(`${name}/plugin.ts`, sources));
  return !isLeftOver && existsSync(new URL(`${name}/${file}`, folder));
}

async function loadUnlessOff(name: string, features: Features): Promise<OraclePlugin> {
  try {
    return await within(loadLimitMs, 'loading it', load(name));
  } catch (cause) {
    if (features[name] === false) return unloaded(name);
    const reason = cause instanceof Error ? cause.message : 'it threw what is no error';
    throw new PluginError(`plugin "${name}" cannot be loaded: ${reason}`, { cause });
  }
}

async function load(name: string): Promise<OraclePlugin> {
  const loaded: Readonly<Record<string, OraclePlugin>> = await import(new URL(`${name}/${file}`, folder).href);
  const [plugin, ...others] = Object.values(loaded);
  if (plugin === undefined || others.length > 0) throw new PluginError(`${file} must export one thing: the plugin`);
  checkShape(plugin);
  if (plugin.name !== name) throw new PluginError(`it calls itself "${plugin.name}"`);
  return plugin;
}

/** What stands in the list for a plugin that is off and cannot be loaded. */
function unloaded(name: string): OraclePlugin {
  const manifest = { title: name, summary: 'Cannot be loaded.', whenToUse: 'never.', visibility: 'silent' } as const;
  return { name, version: '0.0.0', manifest };
}
