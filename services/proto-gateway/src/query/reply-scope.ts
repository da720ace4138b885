import { createHash } from 'node:crypto';
import { type FileRegistry, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/**
 * What replies depend on beside the call: the chain, so that two that share a Redis never mix, and the descriptors requests were
 * written by. `undefined` while the chain is not known.
 */
export function scopeOf(chainId: () => string | undefined, registry: FileRegistry): () => string | undefined {
  const files = [...registry.files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const hash = createHash('sha256');
  for (const { proto } of files) hash.update(toBinary(FileDescriptorProtoSchema, proto));
  const revision = hash.digest('base64url');
  return () => {
    const id = chainId();
    return id === undefined ? undefined : `${id.length}:${id}\n${revision}`;
  };
}
