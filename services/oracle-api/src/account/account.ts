import type { UcanSigner } from '@mlango/ucan-auth/minting';
import type { Turns } from '../agent/lifecycle/turns.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import type { RunStore } from '../runs/run-store.js';
import type { Realtime } from '../sockets/realtime.js';
import { type DeletionReceipt, signReceipt } from './deletion-receipt.js';
import { exportFiles } from './export-files.js';
import type { Keeper } from './keeper.js';
import type { OwnDataStore } from './own-data-store.js';
import { zipFiles } from './zip-files.js';

export interface AccountParts {
  readonly store: OwnDataStore;
  readonly keepers: readonly Keeper[];
  readonly turns: Pick<Turns, 'stop'>;
  readonly runs: Pick<RunStore, 'forget'>;
  readonly realtime: Pick<Realtime, 'closeSession'>;
  readonly oracle: OracleIdentity;
  /** Signs receipts. */
  readonly signer: UcanSigner;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** So often turns that have begun meanwhile are stopped before a deletion gives up. */
const attempts = 5;

/** What a user may do with all that is kept of them. */
export class Account {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** All of it, as a ZIP archive of JSON lines, a part at a time. */
  export(ownerDid: string): AsyncGenerator<Uint8Array, void> {
    const { store, keepers, oracle, now } = this.#parts;
    const begunAt = now();
    const sources = [
      { folder: '', rows: () => store.export(ownerDid) },
      ...keepers.map((keeper) => ({ folder: `plugins/${keeper.name}/`, rows: () => keeper.export(ownerDid) })),
    ];
    const about = () => ({ did: ownerDid, oracleDid: oracle.did, oracleName: oracle.name, begunAt, endedAt: now() });
    return zipFiles(exportFiles(sources, about));
  }

  /**
   * Deletes all of it, with a receipt; `busy` where turns begin faster than they can be stopped. May be asked again, also after it
   * has rejected: what is gone is gone then, and the rest goes.
   */
  async delete(ownerDid: string): Promise<DeletionReceipt | 'busy'> {
    const { store, turns, runs, realtime, oracle, signer, now, newId } = this.#parts;
    const deleted: Record<string, number> = {};
    for (let attempt = 0; attempt < attempts; attempt++) {
      for (const sessionId of await store.busySessions(ownerDid)) await turns.stop(ownerDid, sessionId, 'aborted');
      await this.#forgetByKeepers(ownerDid, deleted);
      add(deleted, '', { messages: await store.thin(ownerDid) });
      const forgotten = await store.forget(ownerDid);
      if (forgotten === 'busy') continue;
      add(deleted, '', forgotten.deleted);
      // A turn may have called a tool after the keepers had forgotten. Now none can.
      const kept = [...forgotten.kept, ...(await this.#forgetByKeepers(ownerDid, deleted))];
      await runs.forget(forgotten.runIds.map((runId) => ({ runId, ownerDid })));
      for (const sessionId of forgotten.sessionIds) await realtime.closeSession({ ownerDid, sessionId });
      const receipt = { id: newId(), did: ownerDid, oracleDid: oracle.did, deletedAt: now(), deleted, kept };
      return signReceipt(receipt, signer);
    }
    return 'busy';
  }

  async #forgetByKeepers(ownerDid: string, deleted: Record<string, number>) {
    const kept: DeletionReceipt['kept'][number][] = [];
    for (const keeper of this.#parts.keepers) {
      const forgotten = await keeper.forget(ownerDid);
      add(deleted, `${keeper.name}/`, forgotten.deleted);
      kept.push(...(forgotten.kept ?? []).map(({ kind, ...rest }) => ({ kind: `${keeper.name}/${kind}`, ...rest })));
    }
    return kept;
  }
}

function add(to: Record<string, number>, prefix: string, counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts)) to[prefix + kind] = (to[prefix + kind] ?? 0) + count;
}
