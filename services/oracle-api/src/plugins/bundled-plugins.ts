import { agUi } from './ag-ui/plugin.js';
import { browserTools } from './browser-tools/plugin.js';
import { calls } from './calls/plugin.js';
import { chain } from './chain/plugin.js';
import { credits } from './credits/plugin.js';
import { mcp } from './mcp/plugin.js';
import { memory } from './memory/plugin.js';
import type { OraclePlugin } from './plugin.js';
import { slack } from './slack/plugin.js';
import { userPreferencesPlugin } from './user-preferences/plugin.js';

/** The plugins that every oracle comes with. */
export const bundledPlugins: readonly OraclePlugin[] = [
  userPreferencesPlugin,
  browserTools,
  agUi,
  memory,
  chain,
  mcp,
  credits,
  slack,
  calls,
];
