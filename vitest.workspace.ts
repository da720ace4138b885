import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

// Tests run on sources: workspace packages resolve through their `@mlango/source` export condition, so no build is needed.
const conditions = ['@mlango/source', 'node'];

// `npm test` runs what needs nothing but Node. A test that needs another program (Redis, Postgres, nginx, Chromium, a published
// client) or several built services is in a file `*.integration.test.ts`; `npm run test:all` runs both. A file `*.databases.test.ts` is in
// both: it runs one suite on the embedded database in the first, and on Postgres in the second.
const runsIntegration = process.env['TEST_SUITE'] === 'integration';
const integration = '**/*.integration.test.{ts,tsx}';
const databases = '**/*.databases.test.ts';

// One more than there are cores: much of a test's life is waiting for a process, a socket or a timer.
const maxWorkers = availableParallelism() + 1;

// Browsers and commands of integration tests change what all of a process sees: each of their files has a process of its own.
const isolated = /^(packages\/(oracle-client\/test|playground)|tools)$/;
const isIsolated = (folder: string) => runsIntegration && isolated.test(folder);

const foldersIn = (parent: string) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
const folders = [
  ...foldersIn('packages').flatMap((folder) =>
    folder === 'packages/oracle-client' ? [`${folder}/src`, `${folder}/test`] : [folder],
  ),
  ...foldersIn('services'),
  ...foldersIn('examples'),
  'bench',
  'deploy',
  'tools',
].filter((folder) => existsSync(join(root, folder)));

/**
 * The project of a folder. Files of one project share processes: what they import is transformed once, and loaded once in each process.
 * The pages of oracle-client have a window, the chain clients replace `fetch`, the query gateway keeps timers, and a process that
 * tests two large services holds gigabytes.
 */
function projectOf(folder: string): string {
  if (isIsolated(folder) || folder === 'packages/oracle-client/test') return folder;
  if (folder === 'tools' || folder === 'examples/chain-clients') return 'tools';
  if (folder.startsWith('examples/')) return 'services/oracle-api';
  if (folder === 'deploy') return 'services/proto-gateway';
  return folder.startsWith('services/') ? folder : 'packages';
}

function project(name: string, own: readonly string[]) {
  const include = runsIntegration ? [integration, databases] : ['**/*.test.{ts,tsx}'];
  const setUpBy = (file: string) => own.map((folder) => join(root, folder, file)).filter((path) => existsSync(path));
  return {
    root,
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ['@mlango/source'] } },
    test: {
      name,
      include: own.flatMap((folder) => include.map((files) => `${folder}/${files}`)),
      exclude: ['**/node_modules/**', '**/dist/**', '**/gen/**', ...(runsIntegration ? [] : [integration])],
      environment: 'node',
      isolate: isIsolated(name),
      // Optimising the WebAssembly of the embedded Postgres takes more CPU than short tests gain from it.
      execArgv: ['--liftoff-only'],
      // A service that all test files of a folder share.
      globalSetup: setUpBy('shared-service.setup.ts'),
      // Runs before each test file. Browsers of integration tests have their own pages.
      setupFiles: runsIntegration ? [] : setUpBy('page.setup.ts'),
      // The first test of a file may load modules and open a database, which takes long on a busy machine.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // What is waited for comes later on a busy machine.
      expect: { poll: { timeout: 15_000, interval: 20 } },
    },
  };
}

export default defineConfig({
  root,
  test: {
    maxWorkers,
    globalSetup: [join(root, 'tools/test-services/src/global-setup.ts')],
    projects: [...new Set(folders.map(projectOf))].map((name) =>
      project(
        name,
        folders.filter((folder) => projectOf(folder) === name),
      ),
    ),
  },
});
