import type { AccountDataSource } from '../../account/account.js';
import type { ActivePlugin } from './boot-plugins.js';
import { returnedRows } from './check-returned.js';
import { inPlugin, iterateInPlugin } from './plugin-scope.js';

async function* nothing(): AsyncGenerator<never, void> {}

const silent = 'The plugin does not say which rows of its tables are yours. Ask whoever runs the oracle.';

/** Those of the plugins that keep something of users in tables of their own. */
export function keepersOf(plugins: readonly ActivePlugin[]): AccountDataSource[] {
  return plugins
    .filter(({ plugin }) => 'tables' in plugin || 'exportUser' in plugin || 'forgetUser' in plugin)
    .map(({ name, plugin, boot }) => ({
      name,
      export: (ownerDid) =>
        plugin.exportUser === undefined
          ? nothing()
          : iterateInPlugin(name, () => returnedRows(plugin.exportUser?.(boot, ownerDid))),
      forget: async (ownerDid) =>
        (await inPlugin(name, async () => plugin.forgetUser?.(boot, ownerDid))) ?? {
          deleted: {},
          kept: [{ kind: 'tables', why: silent }],
        },
    }));
}
