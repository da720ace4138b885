import type { DelegationStore, SealedDelegation } from './delegations.js';

/** Delegation store in memory, for tests. */
export class MemoryDelegationStore implements DelegationStore {
  readonly #records = new Map<string, SealedDelegation>();

  async find(ownerDid: string): Promise<SealedDelegation | undefined> {
    return this.#records.get(ownerDid);
  }

  async put(ownerDid: string, delegation: SealedDelegation): Promise<void> {
    this.#records.set(ownerDid, delegation);
  }

  async list(afterDid: string, limit: number) {
    return [...this.#records]
      .map(([ownerDid, { sealed }]) => ({ ownerDid, sealed }))
      .filter(({ ownerDid }) => ownerDid > afterDid)
      .sort((one, other) => (one.ownerDid < other.ownerDid ? -1 : 1))
      .slice(0, limit);
  }

  async reseal(ownerDid: string, before: string, sealed: string): Promise<boolean> {
    const record = this.#records.get(ownerDid);
    if (record?.sealed !== before) return false;
    this.#records.set(ownerDid, { ...record, sealed });
    return true;
  }

  async delete(ownerDid: string): Promise<boolean> {
    return this.#records.delete(ownerDid);
  }
}
