import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const require = createRequire(import.meta.url);

const known = new Map<string, FileRegistry>();

/** The descriptors of `protos/everything.proto`, built as an operator builds those of another module. */
export function everythingRegistry(): FileRegistry {
  return builtRegistry('everything.proto');
}

/** The descriptors of `protos/pictures.proto`, with plain bodies as messages. */
export function picturesRegistry(): FileRegistry {
  return builtRegistry('pictures.proto');
}

/** The descriptors of the chain, as the gateway serves them by default. */
export function builtInRegistry(): FileRegistry {
  return registryOf(readFileSync(require.resolve('@mlango/proto/descriptor.binpb')));
}

export function messageOf(registry: FileRegistry, typeName: string): DescMessage {
  const message = registry.getMessage(typeName);
  if (message === undefined) throw new Error(`no message ${typeName}`);
  return message;
}

function registryOf(image: Uint8Array): FileRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
}

function builtRegistry(file: string): FileRegistry {
  const registry = known.get(file) ?? registryOf(build(file));
  known.set(file, registry);
  return registry;
}

function build(file: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'test-protos-'));
  try {
    const proto = dirname(require.resolve('@mlango/proto/package.json'));
    for (const part of ['google', 'cosmos/base/query', 'cosmos_proto', 'gogoproto']) {
      cpSync(join(proto, part), join(folder, part), { recursive: true });
    }
    cpSync(join(import.meta.dirname, '../protos'), folder, { recursive: true });
    return buildWithBuf(folder, ['--path', join(folder, file)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The descriptor set of all `.proto` files of a folder and its subfolders. */
export function buildDescriptorSet(protos: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'test-protos-'));
  try {
    cpSync(protos, folder, { recursive: true });
    return buildWithBuf(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildWithBuf(folder: string, only: readonly string[] = []): Uint8Array {
  writeFileSync(join(folder, 'buf.yaml'), 'version: v2\n');
  const buf = join(dirname(require.resolve('@bufbuild/buf/package.json')), 'bin', 'buf');
  const args = [buf, 'build', folder, ...only, '--as-file-descriptor-set', '-o', '-#format=binpb'];
  return execFileSync(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
}
