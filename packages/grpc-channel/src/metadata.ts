/** gRPC metadata as pairs in order; names are lower case, values of names that end in `-bin` are bytes. */
export type Metadata = readonly (readonly [name: string, value: string | Uint8Array])[];
