// The bill of materials of what production runs, as CycloneDX, in artifacts/sbom.cdx.json: it names every installed package.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/**
 * @param {{ components?: readonly { group?: string, name: string, version: string }[] }} bill - as CycloneDX has it
 * @param {Record<string, readonly { name: string, versions: readonly string[] }[]>} byLicence - as `pnpm licenses list --json` gives it
 * @returns {string[]} one line per installed package that the bill leaves out
 */
export function missingFromBill({ components = [] }, byLicence) {
  const named = new Set(components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
  const installed = Object.values(byLicence)
    .flat()
    .flatMap(({ name, versions }) => versions.map((version) => `${name}@${version}`));
  // An empty list would pass for ever.
  if (installed.length === 0) return ['no installed package was listed'];
  return installed.filter((one) => !named.has(one)).map((one) => `${one} is not in the bill of materials`);
}

if (runsDirectly(import.meta.url)) {
  const text = await pnpm(['sbom', '--sbom-format', 'cyclonedx', '--prod']);
  mkdirSync(join(repositoryRoot, 'artifacts'), { recursive: true });
  writeFileSync(join(repositoryRoot, 'artifacts/sbom.cdx.json'), text);
  const byLicence = JSON.parse(await pnpm(['licenses', 'list', '--json', '--prod']));
  reportAndExit('bill of materials', missingFromBill(JSON.parse(text), byLicence));
}
