/** What the view reads of an entity and its document. */
export interface Entity {
  readonly id: string;
  readonly type: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly status: number;
  readonly relayer_node: string;
  readonly entity_verified: boolean;
  readonly accounts: readonly { readonly name: string; readonly address: string }[];
}

/** A part of a document. */
export interface Linked {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly serviceEndpoint?: string;
  readonly mediaType?: string;
  readonly blockchainAccountID?: string;
}

export interface IidDocument {
  readonly controller: readonly string[];
  readonly verificationMethod: readonly Linked[];
  readonly service: readonly Linked[];
  readonly linkedResource: readonly Linked[];
  readonly linkedClaim: readonly Linked[];
  readonly linkedEntity: readonly { readonly id: string; readonly relationship: string; readonly type: string }[];
}
