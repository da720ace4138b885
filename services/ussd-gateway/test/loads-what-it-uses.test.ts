import { fileURLToPath } from 'node:url';
import { loadedModules } from '@mlango/test-services/loaded-modules';
import { expect, it } from 'vitest';
import { noDatabase } from './support/service-process.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Modules with a large memory footprint loaded with these settings. The tables of revocations take little. */
async function dearOnes(env: Readonly<Record<string, string>>): Promise<string[]> {
  const modules = await loadedModules(main, { ...noDatabase, ...env });
  const named = modules.flatMap(
    (url) =>
      /\/(undici|ucan-auth(?!\/dist\/stores\/postgres-schema\.)|pglite|swagger|exporter-trace-otlp-http)\//.exec(
        url,
      )?.[1] ?? [],
  );
  return [...new Set(named)].toSorted();
}

it('modules of unused settings are not in memory', { timeout: 120_000 }, async () => {
  expect(await dearOnes({ DOCS: 'false' })).toEqual([]);
  const asking = { ORACLE_URL: 'http://127.0.0.1:1', ORACLE_DID: 'did:ixo:ixo1oracle' };
  expect(await dearOnes({ DOCS: 'true', ...asking })).toEqual(['swagger', 'ucan-auth', 'undici']);
});
