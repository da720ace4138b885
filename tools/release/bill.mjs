import { pnpm } from '../checks/pnpm.mjs';
import { sha256Of } from './digest.mjs';

/**
 * The bill of materials of a package and all that it needs at run time, as CycloneDX. The same for the same lockfile: its time is given and
 * its serial number comes from what it says.
 * @param {string} name - of a package of the workspace
 * @param {number} epoch - seconds
 * @param {readonly object[]} base - components that it stands on
 * @returns {Promise<Record<string, unknown>>}
 */
export async function billOf(name, epoch, base = []) {
  const text = await pnpm(['sbom', '--sbom-format', 'cyclonedx', '--prod', '--filter', name]);
  const { serialNumber: _random, metadata, components, dependencies, ...rest } = JSON.parse(text);
  const bill = {
    ...rest,
    metadata: { ...metadata, timestamp: new Date(epoch * 1_000).toISOString() },
    // pnpm lists them as it comes upon them, which differs from time to time.
    components: sortedBy([...components, ...base], (/** @type {{ 'bom-ref': string }} */ one) => one['bom-ref']),
    dependencies: sortedBy(dependencies, (/** @type {{ ref: string, dependsOn: string[] }} */ one) => one.ref).map(
      ({ ref, dependsOn }) => ({
        ref,
        dependsOn: [...dependsOn].sort(),
      }),
    ),
  };
  return { ...bill, serialNumber: `urn:uuid:${uuidFrom(sha256Of(JSON.stringify(bill)))}` };
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} key
 * @returns {Item[]}
 */
function sortedBy(items, key) {
  return [...items].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/**
 * A UUID of version 8, which is for digests and the like (RFC 9562).
 * @param {string} hex - 32 digits or more
 */
function uuidFrom(hex) {
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
