import { openTestStores } from '../../../test/stores.fixture.js';
import { bundledPluginContract } from '../api/plugin.contract.js';
import { bundledPlugins } from './bundled-plugins.js';

/** Settings of plugins that are on only if configured. */
const settings = new Map<string, Readonly<Record<string, unknown>>>([
  ['chain', { PROTO_GATEWAY_URL: 'http://127.0.0.1:9' }],
  ['mcp', { MCP_SERVERS: [{ name: 'away', url: 'http://127.0.0.1:9/mcp', isProtected: false, headers: {} }] }],
  ['slack', { SLACK_SIGNING_SECRET: 's'.repeat(32), SLACK_BOT_TOKEN: 'xoxb-t', SLACK_API_URL: 'http://127.0.0.1:9' }],
  ['credits', { CREDITS: 'local' }],
  [
    'calls',
    {
      LIVEKIT_URL: 'ws://127.0.0.1:9',
      LIVEKIT_API_KEY: 'k',
      LIVEKIT_API_SECRET: 's'.repeat(32),
      CALL_MAX_MINUTES: 60,
    },
  ],
]);

let opening: ReturnType<typeof openTestStores> | undefined;
const openStores = () => {
  opening ??= openTestStores();
  return opening;
};

for (const plugin of await bundledPlugins()) bundledPluginContract(plugin, openStores, { settings });
