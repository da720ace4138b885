import type { OraclePlugin } from '../src/plugins/api/plugin.js';
import { MemoryUploadStore } from '../src/plugins/attachments/memory-upload-store.fixture.js';
import { MemoryCallStore } from '../src/plugins/calls/memory-call-store.fixture.js';
import { MemoryCreditLedger } from '../src/plugins/credits/memory-credit-ledger.fixture.js';
import { MemoryFeedbackStore } from '../src/plugins/feedback/memory-feedback-store.fixture.js';
import { bundledPlugins } from '../src/plugins/host/bundled-plugins.js';
import type { Features } from '../src/plugins/host/resolve-features.js';
import { MemoryRecallStore } from '../src/plugins/memory/memory-recall-store.fixture.js';

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

/** Stores of the bundled plugins, by plugin. `createTestOracle` has stores on a database. */
export const inMemory = (
  hasSession: (ownerDid: string, sessionId: string) => Promise<boolean>,
): Record<string, unknown> => ({
  attachments: new MemoryUploadStore(hasSession),
  calls: new MemoryCallStore(hasSession),
  credits: new MemoryCreditLedger(),
  feedback: new MemoryFeedbackStore(hasSession),
  memory: new MemoryRecallStore(),
});
