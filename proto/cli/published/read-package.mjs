// Reads the reflection of generated code: which file declares which message, enum and service.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readComments } from './read-comments.mjs';

const FOLDERS = ['cometbft', 'cosmos', 'cosmwasm', 'google', 'ibc', 'tendermint'];
const HEADER = /@generated from protobuf file "([^"]+)" \(package "([^"]+)"/;

/**
 * @typedef {{ path: string, package: string, messages: object[], services: object[], comments: Map<string, string> }} SourceFile
 * @param {string} name - of the package
 * @returns {Promise<{ files: Map<string, SourceFile>, fileOf: Map<unknown, SourceFile> }>} files by path; the file of each
 *   message (by name) and of each enum (by its object)
 */
export async function readPackage(name) {
  const root = join(dirname(fileURLToPath(import.meta.resolve(name))), 'generated');
  const files = new Map();
  const fileOf = new Map();
  for (const module of modulesIn(root)) {
    const declarations = readFileSync(module.replace(/\.js$/, '.d.ts'), 'utf8');
    const [, path = '', namespace = ''] = HEADER.exec(declarations) ?? [];
    const values = Object.values(await import(pathToFileURL(module).href));
    const messages = values.filter((value) => Array.isArray(value?.fields));
    const services = values.filter((value) => Array.isArray(value?.methods));
    const comments = readComments(declarations, module, namespace);
    const file = { path, package: namespace, messages, services, comments };
    files.set(path, file);
    for (const value of values) fileOf.set(value?.typeName ?? value, file);
  }
  return { files, fileOf };
}

function modulesIn(root) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('_pb.js'))
      .map((path) => join(root, folder, path)),
  ).sort();
}
