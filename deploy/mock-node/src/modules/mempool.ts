import { createHash } from 'node:crypto';
import type { Block } from '../chain-clock.js';

/** A transaction in a block. */
export interface KnownTx {
  /** SHA-256 of the bytes, in capitals. */
  readonly hash: string;
  readonly bytes: Buffer;
  readonly block: Block;
}

/** The transactions sent to this node while it runs: each is in the block that was the last one at its arrival. */
export class Mempool {
  readonly #byHash = new Map<string, KnownTx>();

  /** Equal bytes are one transaction. */
  add(bytes: Buffer, block: Block): KnownTx {
    const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase();
    const tx = this.#byHash.get(hash) ?? { hash, bytes, block };
    this.#byHash.set(hash, tx);
    return tx;
  }

  find(hash: string): KnownTx | undefined {
    return this.#byHash.get(hash.toUpperCase());
  }

  all(): readonly KnownTx[] {
    return [...this.#byHash.values()];
  }

  at(height: number): readonly KnownTx[] {
    return this.all().filter(({ block }) => block.height === height);
  }
}
