import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

// Tests run on sources: workspace packages resolve through their `source` export condition, so no build is needed.
const conditions = ['source', 'node'];

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
    globalSetup: [join(root, 'tools/test-services/src/global-setup.ts')],
    projects: folders.map((folder) => ({
      root: join(root, folder),
      resolve: { conditions },
      ssr: { resolve: { conditions, externalConditions: ['source'] } },
      test: {
        name: folder,
        include: ['**/*.test.{ts,tsx}'],
        exclude: ['**/node_modules/**', '**/dist/**', '**/gen/**'],
        environment: 'node',
        // A service that all test files of a folder share.
        globalSetup: [join(root, folder, 'test/shared-service.setup.ts')].filter((file) => existsSync(file)),
        testTimeout: 20_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
