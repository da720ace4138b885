import { createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorSet, FileDescriptorSetSchema, type SourceCodeInfo_Location } from '@bufbuild/protobuf/wkt';

/** An invalid descriptor image. The message names the problem and how to build an image. */
export class DescriptorImageError extends Error {
  override readonly name = 'DescriptorImageError';
}

/**
 * Reads a `google.protobuf.FileDescriptorSet`, as written by `buf build --as-file-descriptor-set` and `protoc --include_imports
 * --descriptor_set_out`. Of source info only locations with comments are retained: the others are larger than the descriptors.
 */
export function readDescriptorImage(bytes: Uint8Array): FileRegistry {
  const set = readSet(bytes);
  for (const { sourceCodeInfo } of set.file) {
    if (sourceCodeInfo !== undefined) sourceCodeInfo.location = sourceCodeInfo.location.filter(hasComment);
  }
  const names = new Set(set.file.map(({ name }) => name));
  for (const { name, dependency } of set.file) {
    const missing = dependency.find((each) => !names.has(each));
    if (missing !== undefined) {
      throw new DescriptorImageError(`lacks ${missing}, which ${name} imports: ${HOW_TO_WRITE}`);
    }
  }
  try {
    return createFileRegistry(set);
  } catch (cause) {
    throw new DescriptorImageError(`has files that do not match: ${HOW_TO_WRITE}`, { cause });
  }
}

const HOW_TO_WRITE =
  'write it with `buf build --as-file-descriptor-set -o FILE`, or with `protoc --include_imports --descriptor_set_out=FILE`';

function readSet(bytes: Uint8Array): FileDescriptorSet {
  let set: FileDescriptorSet;
  try {
    set = fromBinary(FileDescriptorSetSchema, bytes);
  } catch (cause) {
    throw new DescriptorImageError(`is no file descriptor set: ${HOW_TO_WRITE}`, { cause });
  }
  if (set.file.length === 0) throw new DescriptorImageError(`holds no files: ${HOW_TO_WRITE}`);
  return set;
}

function hasComment(location: SourceCodeInfo_Location): boolean {
  const { leadingComments, trailingComments, leadingDetachedComments } = location;
  return leadingComments !== '' || trailingComments !== '' || leadingDetachedComments.length > 0;
}
