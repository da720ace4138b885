import { MemoryPluginStateStore } from './memory-plugin-state-store.fixture.js';
import { pluginStateStoreContract } from './plugin-state-store.contract.js';

pluginStateStoreContract('memory', () => new MemoryPluginStateStore());
