/** An Ed25519 key that signs. */
export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 64-byte signature on a message. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}
