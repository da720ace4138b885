'use strict';
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * @typedef {{ name: string, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Manifest
 */

/**
 * Rules for each package: what its production code imports stands in its own manifest, under `dependencies` or as a peer that
 * is not optional. Types count too, for they are read by whoever installs the package. dependency-cruiser's own kinds of
 * dependencies do not do: it knows no optional peers, and sees a package of this workspace as a folder like any other.
 * @param {{ root: string, test: string, optionalPeersIn: string }} options - patterns of files that are no production code,
 *   and of those that may import optional peers too
 */
function productionRules({ root, test, optionalPeersIn }) {
  const packages = manifests(root);
  /** @param {string} folder @param {string} not @param {readonly string[]} allowed */
  const rule = (folder, not, allowed) => {
    const inWorkspace = packages.filter(({ manifest }) => allowed.includes(manifest.name));
    const open = [
      ...[folder, ...inWorkspace.map((other) => other.folder)].map((name) => `^${literally(name)}/`),
      ...allowed.map((name) => `(^|/)node_modules/${literally(name)}/`),
    ];
    return {
      name: 'production-imports-its-dependencies',
      comment:
        'An image, or whoever installs a package, has its dependencies alone: nothing else is there at run time.',
      severity: /** @type {const} */ ('error'),
      from: { path: `^${literally(folder)}/src/`, pathNot: not },
      to: { pathNot: open.join('|'), dependencyTypesNot: ['core'], couldNotResolve: false },
    };
  };
  return packages.flatMap(({ folder, manifest }) => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    const peers = Object.keys(peerDependencies);
    const needed = peers.filter((name) => peerDependenciesMeta[name]?.optional !== true);
    const always = [...Object.keys(dependencies), ...needed];
    return [
      rule(folder, `${test}|${optionalPeersIn}`, always),
      ...(needed.length === peers.length ? [] : [rule(folder, test, [...always, ...peers])]),
    ];
  });
}

/**
 * @param {string} root
 * @returns {{ folder: string, manifest: Manifest }[]}
 */
function manifests(root) {
  return ['packages', 'services', 'deploy', 'examples', '.']
    .filter((parent) => existsSync(path.join(root, parent)))
    .flatMap((parent) =>
      readdirSync(path.join(root, parent)).map((name) => (parent === '.' ? name : `${parent}/${name}`)),
    )
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) }));
}

/** @param {string} text */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

module.exports = { productionRules };
