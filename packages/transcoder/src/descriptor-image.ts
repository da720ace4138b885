import { createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type SourceCodeInfo_Location } from '@bufbuild/protobuf/wkt';

/** A descriptor image that cannot be used, in words for the operator. */
export class DescriptorImageError extends Error {
  override readonly name = 'DescriptorImageError';
}

/**
 * Reads a `google.protobuf.FileDescriptorSet`, as `buf build --as-file-descriptor-set` and
 * `protoc --include_imports --descriptor_set_out` write it. Comments are there when the image holds source info, of which only the places with
 * comments are kept: all of them are more than the descriptors.
 */
export function readDescriptorImage(bytes: Uint8Array): FileRegistry {
  try {
    const set = fromBinary(FileDescriptorSetSchema, bytes);
    if (set.file.length === 0) throw new DescriptorImageError('the image holds no files');
    for (const { sourceCodeInfo } of set.file) {
      if (sourceCodeInfo !== undefined) sourceCodeInfo.location = sourceCodeInfo.location.filter(hasComment);
    }
    return createFileRegistry(set);
  } catch (error) {
    if (error instanceof DescriptorImageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DescriptorImageError(`not a complete file descriptor set: ${reason}`, { cause: error });
  }
}

function hasComment(location: SourceCodeInfo_Location): boolean {
  const { leadingComments, trailingComments, leadingDetachedComments } = location;
  return leadingComments !== '' || trailingComments !== '' || leadingDetachedComments.length > 0;
}
