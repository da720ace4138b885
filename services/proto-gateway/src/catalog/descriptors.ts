import { createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** A source of descriptors. It is untrusted. */
export interface FileSource {
  services(): Promise<readonly string[]>;
  filesOfSymbol(symbol: string): Promise<readonly Uint8Array[]>;
  filesByName(name: string): Promise<readonly Uint8Array[]>;
}

/** Limits of what is read from a node. */
export interface CollectLimits {
  readonly services: number;
  readonly files: number;
  readonly bytes: number;
}

export interface CollectedFiles {
  readonly services: readonly string[];
  readonly registry: FileRegistry;
  /** Files that could not be used, because an import is missing. */
  readonly leftOut: readonly string[];
}

/** The descriptors of the source exceed the limits. */
export class TooManyFilesError extends Error {
  override readonly name = 'TooManyFilesError';
}

/**
 * Collects the files of all services and their imports. Files that the source lacks come from `fallback`: nodes often omit
 * Google's files.
 *
 * @throws {TooManyFilesError} beyond the limits, and any error of the source
 */
export async function collectFiles(
  source: FileSource,
  fallback: FileRegistry,
  limits: CollectLimits,
): Promise<CollectedFiles> {
  const services = await source.services();
  if (services.length > limits.services) throw new TooManyFilesError(`more than ${limits.services} services`);
  const files = new Map<string, FileDescriptorProto>();
  let bytes = 0;

  function add(found: readonly Uint8Array[]): void {
    for (const each of found) {
      bytes += each.length;
      if (bytes > limits.bytes) throw new TooManyFilesError(`descriptors of more than ${limits.bytes} bytes`);
      const file = fromBinary(FileDescriptorProtoSchema, each);
      if (!files.has(file.name)) files.set(file.name, file);
      if (files.size > limits.files) throw new TooManyFilesError(`more than ${limits.files} files`);
    }
  }

  for (const service of services) add(await source.filesOfSymbol(service));
  const requested = new Set<string>();
  // A map iterator visits entries that are added during the iteration.
  for (const file of files.values()) {
    for (const name of file.dependency) {
      if (files.has(name) || requested.has(name)) continue;
      requested.add(name);
      const known = fallback.getFile(name);
      if (known === undefined) add(await source.filesByName(name));
      else files.set(name, known.proto);
    }
  }
  const { ordered, leftOut } = inOrder(files);
  const registry = createFileRegistry({ $typeName: FileDescriptorSetSchema.typeName, file: ordered });
  return { services, registry, leftOut };
}

/** Sorts files after their imports. Files with missing or circular imports are left out. */
function inOrder(files: ReadonlyMap<string, FileDescriptorProto>): {
  ordered: FileDescriptorProto[];
  leftOut: string[];
} {
  const ordered: FileDescriptorProto[] = [];
  const isUsable = new Map<string, boolean>();
  const visit = (name: string): boolean => {
    const known = isUsable.get(name);
    if (known !== undefined) return known;
    isUsable.set(name, false);
    const file = files.get(name);
    if (file === undefined || !file.dependency.every(visit)) return false;
    isUsable.set(name, true);
    ordered.push(file);
    return true;
  };
  const leftOut = [...files.keys()].filter((name) => !visit(name));
  return { ordered, leftOut };
}
