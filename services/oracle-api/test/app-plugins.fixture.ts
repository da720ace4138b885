import type { OraclePlugin } from '../src/plugins/api/plugin.js';
import { bundledPlugins } from '../src/plugins/host/bundled-plugins.js';
import type { Features } from '../src/plugins/host/resolve-features.js';

interface PluginOptions {
  readonly features?: Features;
  readonly plugins?: readonly OraclePlugin[];
  readonly instead?: OraclePlugin;
}

/** The bundled plugins and others; `instead` replaces the bundled one of its name. */
export async function allPlugins({ features, plugins = [], instead }: PluginOptions): Promise<OraclePlugin[]> {
  const bundled = await bundledPlugins(features);
  return [...bundled.map((plugin) => (plugin.name === instead?.name ? instead : plugin)), ...plugins];
}

/** Settings of the plugins without required variables. */
export function defaultsOf(plugins: readonly OraclePlugin[]): [string, Readonly<Record<string, unknown>>][] {
  return plugins.flatMap(({ name, configSchema }) => {
    const read = configSchema?.safeParse({});
    return read?.success === true ? [[name, read.data]] : [];
  });
}
