/** gRPC metadata as pairs in order; names are lower case, values of names that end in `-bin` are bytes. */
export type Metadata = readonly (readonly [name: string, value: string | Uint8Array])[];

/** Metadata without the entries of some names. */
export function withoutNames(metadata: Metadata, names: Metadata): Metadata {
  if (names.length === 0) return metadata;
  return metadata.filter(([name]) => !names.some(([taken]) => taken === name));
}
