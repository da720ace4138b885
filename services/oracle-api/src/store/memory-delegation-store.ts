import type { DelegationStore, SealedDelegation } from './delegation-store.js';

/** Delegations of one process, gone with it: for tests of what stands on the port. */
export class MemoryDelegationStore implements DelegationStore {
  readonly #records = new Map<string, SealedDelegation>();

  async find(ownerDid: string): Promise<SealedDelegation | undefined> {
    return this.#records.get(ownerDid);
  }

  async put(ownerDid: string, delegation: SealedDelegation): Promise<void> {
    this.#records.set(ownerDid, delegation);
  }

  async delete(ownerDid: string): Promise<boolean> {
    return this.#records.delete(ownerDid);
  }
}
