// Every production dependency has an open licence that is compatible with Apache-2.0. `pnpm licenses` provides the list.
import { pnpm } from './pnpm.mjs';
import { reportAndExit } from './report.mjs';

const ALLOWED = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 PostgreSQL Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);

/**
 * @param {string} expression - SPDX; parentheses only around the whole of it
 * @returns {boolean}
 */
function isAllowed(expression) {
  const [, flat = ''] = /^\(?([^()]+)\)?$/.exec(expression) ?? [];
  return flat.split(' OR ').some((choice) => choice.split(' AND ').every((id) => ALLOWED.has(id)));
}

const byLicence = Object.entries(JSON.parse(await pnpm(['licenses', 'list', '--json', '--prod'])));
const refused = byLicence
  .filter(([licence]) => !isAllowed(licence))
  .flatMap(([licence, packages]) => packages.map((/** @type {{ name: string }} */ { name }) => `${name}: ${licence}`));
// Without the installed packages the list is empty.
reportAndExit('licenses', byLicence.length === 0 ? ['pnpm lists no installed package'] : refused);
