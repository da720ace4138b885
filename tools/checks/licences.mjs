// Every dependency of production code has an open licence that goes with Apache-2.0.
import { isAllowed } from './licence-expression.mjs';
import { pnpm } from './pnpm.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/**
 * @param {Record<string, readonly { name: string, versions: readonly string[] }[]>} byLicence - as `pnpm licenses list --json` gives it
 * @returns {string[]} one line per package whose licence is not allowed
 */
export function findRefusedLicences(byLicence) {
  return Object.entries(byLicence)
    .filter(([licence]) => !isAllowed(licence, ALLOWED))
    .flatMap(([licence, packages]) =>
      packages.map(({ name, versions }) => `${name}@${versions.join(', ')}: ${licence}`),
    );
}

if (runsDirectly(import.meta.url)) {
  const byLicence = JSON.parse(await pnpm(['licenses', 'list', '--json', '--prod']));
  const packages = Object.values(byLicence).flat();
  // An empty list would pass for ever.
  reportAndExit(
    'licences',
    packages.length === 0 ? ['no installed package was listed'] : findRefusedLicences(byLicence),
  );
}
