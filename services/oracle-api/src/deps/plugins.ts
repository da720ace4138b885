import type { Outbound } from '@mlango/outbound/outbound';
import type { PluginsConfig } from '../config.js';
import { PluginHost, type PluginHostParts } from '../plugins/host/plugin-host.js';
import { tablesOwner } from '../plugins/host/plugin-tables.js';
import type { OpenPool } from '../shared-pools.js';
import type { StorageLimits } from '../store/storage-limits.js';
import type { openAuthority } from './authority.js';
import { readApprovalPolicy, readPluginLimits } from './plugin-settings.js';
import type { Closers, ProcessParts } from './stores.js';

/** Plugins of an oracle and their settings. */
export type PluginSetup = Pick<PluginHostParts, 'plugins' | 'settings' | 'persona' | 'authExcludedRoutes'>;

interface PluginsParts extends ProcessParts {
  readonly setup: PluginSetup;
  readonly authority: Awaited<ReturnType<typeof openAuthority>>;
  readonly outbound: Outbound;
  readonly openPool: OpenPool;
  readonly models: PluginHostParts['models'];
  readonly storage: Pick<StorageLimits, 'take'>;
}

/** Starts the enabled plugins. */
export async function openPlugins(config: PluginsConfig, parts: PluginsParts, closers: Closers): Promise<PluginHost> {
  const { setup, oracle, stores, authority, realtime, outbound, openPool, models, storage } = parts;
  const { metrics, logger, now, newId } = parts;
  const { plugins: resolved, settings, persona, authExcludedRoutes } = setup;
  const { database, conversations, preferences } = stores;
  const { auth, keyring, delegations, services, onBehalf } = authority;
  const failures = metrics.counter({
    name: 'oracle_plugin_failures_total',
    help: 'Plugin failures in turns, which continued without the plugin.',
    labelNames: ['plugin'],
  });
  const plugins = await PluginHost.start({
    plugins: resolved,
    settings,
    persona,
    authExcludedRoutes,
    oracle,
    conversations,
    openTables: ({ name, tables }) => tables?.open(database.ownedBy(tablesOwner(name))),
    state: stores.pluginState,
    keyring,
    outbound,
    openPool,
    models,
    storage,
    runtime: {
      preferences,
      delegations,
      auth,
      onBehalf,
      services,
      frontend: realtime.calls,
      logger,
      now,
      newId,
      approvals: stores.approvals,
    },
    approval: readApprovalPolicy(config),
    limits: readPluginLimits(config),
    logger,
    onFailure: (plugin) => failures.inc({ plugin }),
  });
  closers.push(() => plugins.close());
  return plugins;
}
