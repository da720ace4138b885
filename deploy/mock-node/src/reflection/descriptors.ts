import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createFileRegistry, type DescFile, type FileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

let descriptors: FileRegistry | undefined;

/** Reads the descriptors of all definitions from the image the build made, once in a process. */
export function readDescriptors(): FileRegistry {
  const path = createRequire(import.meta.url).resolve('@mlango/proto/descriptor.binpb');
  descriptors ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(path)));
  return descriptors;
}

/** A file's descriptor in bytes, without comments, as on real nodes. */
export function descriptorBytes(file: DescFile): Buffer {
  const { sourceCodeInfo: _, ...proto } = file.proto;
  return Buffer.from(toBinary(FileDescriptorProtoSchema, proto));
}

/** A file and all its imports, at any depth; a file follows those that import it. */
export function withImports(file: DescFile): DescFile[] {
  const files = new Set([file]);
  // Iteration over a set includes items added meanwhile.
  for (const next of files) for (const imported of next.dependencies) files.add(imported);
  return [...files];
}
