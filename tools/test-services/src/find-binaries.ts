import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { realServicesRequired, runsIntegration } from './required.js';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** The path of a Redis-compatible server on this machine: Redis before Valkey; `TEST_REDIS_SERVER` overrides both. */
export function findRedisServer(path = process.env['PATH'] ?? ''): string | undefined {
  const { TEST_REDIS_SERVER: named } = process.env;
  if (named !== undefined) return findIn([dirname(named)], basename(named));
  const folders = [...path.split(delimiter), '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  return findIn(folders, 'redis-server') ?? findIn(folders, 'valkey-server');
}

/** The path of PgBouncer on this machine. */
export function findPgBouncer(path = process.env['PATH'] ?? ''): string | undefined {
  return findIn(
    [...path.split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'],
    'pgbouncer',
  );
}

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** In the same folder; absent if the installation omits it. */
  readonly basebackup: string | undefined;
}

/** The programs of one installation of Postgres: PATH first, then Debian's versioned folders, newest first. */
export function findPostgres(path = process.env['PATH'] ?? ''): PostgresBinaries | undefined {
  for (const folder of [...path.split(delimiter), ...debianFolders(), '/opt/homebrew/bin', '/usr/local/bin']) {
    const postgres = findIn([folder], 'postgres');
    const initdb = findIn([folder], 'initdb');
    if (postgres === undefined || initdb === undefined) continue;
    // A link in PATH may exist for one of the programs only.
    return { postgres, initdb, basebackup: findIn([folder, dirname(realpathSync(postgres))], 'pg_basebackup') };
  }
  return undefined;
}

function debianFolders(): string[] {
  try {
    return readdirSync(DEBIAN_POSTGRES)
      .filter((version) => /^\d+$/.test(version))
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
  } catch {
    return [];
  }
}

/** The first executable file of this name in the folders; always undefined outside of integration tests. */
export function findIn(folders: readonly string[], name: string): string | undefined {
  if (!runsIntegration) return undefined;
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a Chromium in PATH. With `REQUIRE_REAL_SERVICES=1` a missing one is an error. */
export function findChromium(): string | undefined {
  return inPath(CHROMIUM_NAMES, 'tests in a browser (no Chromium in PATH)');
}

/** The path of Prometheus or its promtool in PATH. With `REQUIRE_REAL_SERVICES=1` a missing one is an error. */
export function findPrometheus(name: 'prometheus' | 'promtool'): string | undefined {
  return inPath(
    [name],
    `tests of alert rules and dashboards (no ${name} in PATH; Debian has it in the package prometheus)`,
  );
}

function inPath(names: readonly string[], skipped: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = names.map((name) => findIn(folders, name)).find((path) => path !== undefined);
  if (found !== undefined) return found;
  if (realServicesRequired()) throw new Error(`REQUIRE_REAL_SERVICES=1, which forbids to skip ${skipped}`);
  process.stdout.write(`Skipped: ${skipped}\n`);
  return undefined;
}
