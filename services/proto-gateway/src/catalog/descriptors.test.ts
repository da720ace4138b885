import { create, createFileRegistry, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, file_google_protobuf_timestamp } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { collectFiles, type FileSource, TooManyFilesError } from './descriptors.js';

const LIMITS = { services: 10, files: 10, bytes: 10_000 };
const fallback = createFileRegistry(file_google_protobuf_timestamp.proto, () => undefined);

/** A source of files by name, each with a service `<package>.Query`; it sends one at a time. */
function source(files: Readonly<Record<string, readonly string[]>>, services = Object.keys(files)) {
  const requested: string[] = [];
  const fileOf = (name: string): Uint8Array[] => {
    requested.push(name);
    const dependency = files[name];
    if (dependency === undefined) return [];
    const proto = create(FileDescriptorProtoSchema, {
      name,
      package: name,
      syntax: 'proto3',
      dependency: [...dependency],
      service: [{ name: 'Query' }],
    });
    return [toBinary(FileDescriptorProtoSchema, proto)];
  };
  const made: FileSource = {
    services: async () => services.map((name) => `${name}.Query`),
    filesOfSymbol: async (symbol) => fileOf(symbol.replace('.Query', '')),
    filesByName: async (name) => fileOf(name),
  };
  return { made, requested };
}

describe('collectFiles', () => {
  it('follows imports, requests each file once, and fills gaps from its own files', async () => {
    const { made, requested } = source({ a: ['b', 'google/protobuf/timestamp.proto'], b: ['c'], c: [] }, ['a']);
    const { registry, leftOut } = await collectFiles(made, fallback, LIMITS);
    expect([...registry.files].map((file) => file.name)).toEqual(['c', 'b', 'google/protobuf/timestamp', 'a']);
    expect(registry.getService('a.Query')?.name).toBe('Query');
    expect(leftOut).toEqual([]);
    expect(requested).toEqual(['a', 'b', 'c']);
  });

  it('leaves out files with missing or circular imports and their dependants', async () => {
    const { made } = source({ good: [], lost: ['nowhere'], user: ['lost'], x: ['y'], y: ['x'] });
    const { registry, leftOut } = await collectFiles(made, fallback, LIMITS);
    expect([...registry.files].map((file) => file.name)).toEqual(['good']);
    expect([...leftOut].sort()).toEqual(['lost', 'user', 'x', 'y']);
  });

  it.each([
    ['services', { ...LIMITS, services: 1 }],
    ['files', { ...LIMITS, files: 2 }],
    ['bytes', { ...LIMITS, bytes: 20 }],
  ])('reads no more %s than it may', async (_, limits) => {
    const { made } = source({ a: ['c'], b: [], c: [] }, ['a', 'b']);
    await expect(collectFiles(made, fallback, limits)).rejects.toThrow(TooManyFilesError);
  });
});
