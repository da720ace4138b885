import { bundledPlugins } from './bundled-plugins.js';
import { bundledPluginContract } from './plugin.contract.js';

/** Of plugins that are on only where they are set up. */
const settings = new Map([['chain', { PROTO_GATEWAY_URL: 'http://127.0.0.1:9' }]]);

for (const plugin of bundledPlugins) bundledPluginContract(plugin, { settings });
