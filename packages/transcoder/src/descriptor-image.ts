import { createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** A descriptor image that cannot be used, in words for the operator. */
export class DescriptorImageError extends Error {
  override readonly name = 'DescriptorImageError';
}

/**
 * Reads a `google.protobuf.FileDescriptorSet`, as `buf build --as-file-descriptor-set` and
 * `protoc --include_imports --descriptor_set_out` write it. Comments are there when the image holds source info.
 */
export function readDescriptorImage(bytes: Uint8Array): FileRegistry {
  try {
    const set = fromBinary(FileDescriptorSetSchema, bytes);
    if (set.file.length === 0) throw new DescriptorImageError('the image holds no files');
    return createFileRegistry(set);
  } catch (error) {
    if (error instanceof DescriptorImageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DescriptorImageError(`not a complete file descriptor set: ${reason}`, { cause: error });
  }
}
