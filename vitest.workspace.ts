import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

// Tests run on sources: workspace packages resolve through their `@mlango/source` export condition, so no build is needed.
const conditions = ['@mlango/source', 'node'];

// `npm test` runs what needs nothing but Node. A test that needs another program (Redis, Postgres, nginx, Chromium, a published
// client) is in a file `*.integration.test.ts`; `npm run test:all` runs both. A file `*.databases.test.ts` is in both: it runs one suite on
// the embedded database in the first, and on Postgres in the second.
const runsIntegration = process.env['TEST_SUITE'] === 'integration';
const integration = '**/*.integration.test.{ts,tsx}';
const databases = '**/*.databases.test.ts';

// One more than there are cores: much of a test's life is waiting for a process, a socket or a timer.
const maxWorkers = availableParallelism() + 1;

// What tests here share is a process and its modules, which are loaded once for many files. Pages and their browsers, and the
// commands, are kept apart: they put things where all of a process sees them.
const apart = /^(packages\/(oracle-client|playground)|tools)$/;

const folders = [
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  'bench',
  'deploy',
  'examples',
  'tools',
].filter((folder) => existsSync(join(root, folder)));

export default defineConfig({
  root,
  test: {
    maxWorkers,
    globalSetup: [join(root, 'tools/test-services/src/global-setup.ts')],
    projects: folders.map((folder) => ({
      root: join(root, folder),
      resolve: { conditions },
      ssr: { resolve: { conditions, externalConditions: ['@mlango/source'] } },
      test: {
        name: folder,
        include: runsIntegration ? [integration, databases] : ['**/*.test.{ts,tsx}'],
        exclude: ['**/node_modules/**', '**/dist/**', '**/gen/**', ...(runsIntegration ? [] : [integration])],
        environment: 'node',
        isolate: apart.test(folder),
        // A service that all test files of a folder share.
        globalSetup: [join(root, folder, 'test/shared-service.setup.ts')].filter((file) => existsSync(file)),
        // The first test of a file may load modules and open a database, which takes long on a busy machine.
        testTimeout: 60_000,
        hookTimeout: 60_000,
        // What is waited for comes later on a busy machine.
        expect: { poll: { timeout: 15_000, interval: 20 } },
      },
    })),
  },
});
