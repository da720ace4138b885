import { bundledPlugins } from './bundled-plugins.js';
import { bundledPluginContract } from './plugin.contract.js';

for (const plugin of bundledPlugins) bundledPluginContract(plugin);
