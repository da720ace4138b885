import type { OwnedMigration } from '@mlango/service-kit/database';
import type { ResolvedPlugin } from '../plugin-host/resolve-features.js';

/** The migrations of the plugins that are on, each under its plugin's name, in start order. */
export function ownedMigrations(plugins: readonly ResolvedPlugin[]): OwnedMigration[] {
  return plugins
    .filter(({ isOn }) => isOn)
    .flatMap(({ plugin: { name: owner, tables } }) =>
      (tables?.migrations ?? []).map((migration) => ({ owner: `plugin ${owner}`, ...migration })),
    );
}
