/** An Ed25519 key that signs. */
export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 64-byte signature on a message. */
  sign(message: Uint8Array): Promise<Uint8Array>;
  /** The key as others can read it; undefined where the browser gives it to nobody. */
  exportKey(): Promise<ExportedKey | undefined>;
}

/** A private key as a JSON Web Key: RFC 8037, section 2. */
export interface ExportedKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The private key, 32 bytes in base64url. */
  readonly d: string;
  /** The public key, 32 bytes in base64url. */
  readonly x: string;
}
