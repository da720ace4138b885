/** A kind of things that other programs may read, each at an address of its own: a user's own, or everybody's. */
export interface PluginResource {
  /** What the addresses begin with; the id of a thing follows: `memory:`, `did:ixo:entity:`. */
  readonly uriPrefix: string;
  /** Of one such thing: `memory`. */
  readonly name: string;
  /** What there is at such an address. */
  readonly description: string;
  /** Those of this user, newest first. Without it none is listed, and whoever knows an id can read. */
  list?(ownerDid: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly ListedThing[]>;
  /** The thing as JSON data; undefined where there is none of that id, or none for this user. */
  read(ownerDid: string, id: string, signal: AbortSignal): Promise<unknown>;
}

export interface ListedThing {
  readonly id: string;
  readonly title: string;
}
