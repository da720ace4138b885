import { execFileSync } from 'node:child_process';

/** @typedef {{ 'bom-ref': string, type: string, name: string, version: string, purl: string }} Component */

/** Where Debian and what comes of it keep what is installed. */
const place = '/var/lib/dpkg/status';

/**
 * The packages of the base of an image, as components of CycloneDX; none where it keeps no list of Debian's kind.
 * @param {string} reference - of an image that the engine of this machine has
 * @param {NodeJS.ProcessEnv} env
 */
export function basePackages(reference, env) {
  const run = ['run', '--rm', '--network', 'none', '--entrypoint', 'cat', reference];
  const read = (/** @type {string} */ file) => {
    try {
      // What the engine says of a file that is not there is for nobody.
      return execFileSync('docker', [...run, file], {
        ...{ encoding: 'utf8', env, maxBuffer: 67_108_864 },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return '';
    }
  };
  return debianPackages(read(place), /^ID=(\w+)/m.exec(read('/etc/os-release'))?.[1] ?? 'debian');
}

/**
 * @param {string} status - what dpkg keeps, a paragraph for each package
 * @param {string} distribution - as package URLs name it
 * @returns {Component[]} of those that are installed, in the order of their names
 */
export function debianPackages(status, distribution) {
  return status
    .split(/\n\n+/)
    .map((paragraph) => (/** @type {string} */ name) => new RegExp(`^${name}: (.+)$`, 'm').exec(paragraph)?.[1] ?? '')
    .filter((field) => field('Status').endsWith(' installed'))
    .map((field) => {
      const [name, version] = [field('Package'), field('Version')];
      const purl = `pkg:deb/${distribution}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${field('Architecture')}`;
      return { 'bom-ref': purl, type: 'library', name, version, purl };
    })
    .sort((one, other) => (one.purl < other.purl ? -1 : 1));
}
