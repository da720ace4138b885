import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { oracleDid } from './scene.js';

/** Somebody at the oracle, whose tokens are always fresh. */
export class OracleUser {
  readonly #signer: ReturnType<typeof signerFromSeed>;
  #token: Promise<string> | undefined;
  #mintedMs = 0;

  constructor(number: number) {
    this.#signer = signerFromSeed(Buffer.alloc(32, number));
  }

  get did(): string {
    return this.#signer.did;
  }

  /** Good for five minutes and more. */
  token(): Promise<string> {
    if (this.#token === undefined || performance.now() - this.#mintedMs > 240_000) {
      this.#mintedMs = performance.now();
      this.#token = mintInvocation({ signer: this.#signer, audience: oracleDid, lifetimeSeconds: 600 });
    }
    return this.#token;
  }

  async headers(): Promise<Record<string, string>> {
    return {
      authorization: `Bearer ${await this.token()}`,
      'x-auth-type': 'ucan',
      'content-type': 'application/json',
    };
  }
}
