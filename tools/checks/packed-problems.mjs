import { builtinModules } from 'node:module';

/** @typedef {import('./packing.mjs').Manifest} Manifest */

const RANGES = /** @type {const} */ (['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']);
const NOT_FOR_INSTALLERS = /\.(test|contract|fixture)\.|\.tsbuildinfo$|(^|\/)node_modules\//;
const IMPORT =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/**
 * What is wrong with a package as somebody installs it.
 * @param {Manifest} manifest - of the archive
 * @param {ReadonlyMap<string, string>} files - of the archive: text by path
 * @param {readonly string[]} needed - further paths that must be in it
 * @returns {string[]}
 */
export function packedProblems(manifest, files, needed = []) {
  const bare = RANGES.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
      .map(([name, range]) => `${kind} asks for ${name} at ${range}`),
  );
  return [
    ...(manifest.private ? ['it is private'] : []),
    ...(manifest.engines?.['node'] ? [] : ['it does not say which Node it needs']),
    ...bare,
    ...['LICENSE', 'README.md', ...needed].filter((path) => !files.has(path)).map((path) => `it has no ${path}`),
    ...[...files.keys()].filter((path) => NOT_FOR_INSTALLERS.test(path)).map((path) => `${path} is nothing to install`),
    ...undeclaredImports(manifest, files),
  ];
}

/**
 * @param {Manifest} manifest
 * @param {ReadonlyMap<string, string>} files
 * @returns {string[]} what its code and its types import that an installer need not have
 */
function undeclaredImports(manifest, files) {
  const known = new Set([
    manifest.name,
    ...builtinModules,
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }),
  ]);
  return [...files]
    .filter(([path]) => /^dist\/.*\.([cm]?js|d\.[cm]?ts)$/.test(path))
    .flatMap(([path, text]) => {
      const imported = [...text.matchAll(IMPORT)].map(([, from, alone, lazily]) => from ?? alone ?? lazily ?? '');
      const names = new Set(imported.filter((name) => !/^(\.|#|node:)/.test(name)).map(packageOf));
      return [...names]
        .filter((name) => !known.has(name))
        .map((name) => `${path} imports ${name}, which is no dependency`);
    });
}

/** @param {string} specifier */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
