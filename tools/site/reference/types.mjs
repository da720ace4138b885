import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { PUBLISHED } from '../../checks/packing.mjs';

/**
 * A door of a published package: one of its `exports`.
 * @typedef {{ name: string, types: string }} Door - by what it is imported, and its declarations as an absolute path
 */

/**
 * @param {string} root - the repository
 * @returns {Door[]}
 */
export function publishedDoors(root) {
  return PUBLISHED.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([door, { types }]) =>
      types === undefined ? [] : [{ name: join(name, door), types: join(root, folder, types) }],
    );
  });
}

/**
 * Writes a page for each door, from the declarations that are published. Needs the build.
 * @param {readonly Door[]} doors
 * @param {{ scratch: string, out: string }} folders - absolute: one for settings, one for Markdown by the name of the door
 * @returns {Promise<Map<string, Set<string>>>} the names that each door exports
 */
export async function writeTypePages(doors, { scratch, out }) {
  const tsconfig = join(scratch, 'tsconfig.json');
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    strict: true,
    skipLibCheck: true,
  };
  const files = doors.map(({ types }) => types);
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }));
  const table = /** @type {const} */ ('table');
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: files,
    tsconfig,
    outputs: [{ name: 'markdown', path: out }],
    readme: 'none',
    disableGit: true,
    disableSources: true,
    skipErrorChecking: true,
    excludeExternals: true,
    logLevel: 'Error',
    ...{
      router: 'module',
      entryFileName: 'index',
      name: 'Types of the packages',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      useHTMLAnchors: true,
    },
    ...{ parametersFormat: table, interfacePropertiesFormat: table, typeDeclarationFormat: table },
  });
  const points = application.getEntryPoints() ?? [];
  const names = new Map(doors.map(({ name, types }) => [types, name]));
  for (const point of points) point.displayName = names.get(point.sourceFile.fileName) ?? point.displayName;
  if (points.length !== doors.length) throw new Error(`Of ${doors.length} doors ${points.length} can be read.`);
  const project = application.converter.convert(points);
  await application.generateOutputs(project);
  return new Map(points.map(({ displayName, program, sourceFile }) => [displayName, exportsOf(program, sourceFile)]));
}

/**
 * What a module exports, also of others.
 * @param {import('typescript').Program} program
 * @param {import('typescript').SourceFile} file
 * @returns {Set<string>}
 */
function exportsOf(program, file) {
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(file);
  return new Set(symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name));
}
