import type { UcanSigner } from '@mlango/ucan-auth/minting';
import type { Turns } from '../agent/turns.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import type { ForgottenRows, KeptRows, OwnRow } from '../plugins/api/account-data.js';
import type { RunLogStore } from '../runs/log/store.js';
import { exportFiles, zipFiles } from './export.js';
import type { AccountDataStore } from './sql-account-data.js';

/** What was deleted of whom, when and by which oracle. */
export interface Deletion {
  readonly id: string;
  readonly did: string;
  readonly oracleDid: string;
  readonly deletedAt: Date;
  /** Rows that are gone, by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept: readonly KeptRows[];
}

export interface DeletionReceipt extends Deletion {
  /** The same as a JSON Web Signature (RFC 7515, compact; EdDSA, RFC 8037). `kid` is the did:key of the key of the oracle. */
  readonly jws: string;
}

export function signReceipt(deletion: Deletion, signer: Pick<UcanSigner, 'keyDid' | 'sign'>): DeletionReceipt {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: signer.keyDid };
  const signed = [header, deletion].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = Buffer.from(signer.sign(Buffer.from(signed))).toString('base64url');
  return { ...deletion, jws: `${signed}.${signature}` };
}

/** Whoever keeps something of users beside the oracle itself: a plugin. */
export interface AccountDataSource {
  readonly name: string;
  export(ownerDid: string): AsyncIterable<OwnRow>;
  /** May be asked again. */
  forget(ownerDid: string): Promise<ForgottenRows>;
}

export interface AccountParts {
  readonly store: AccountDataStore;
  readonly sources: readonly AccountDataSource[];
  readonly turns: Pick<Turns, 'stop'>;
  readonly runs: Pick<RunLogStore, 'forget'>;
  readonly realtime: {
    closeSession(session: { readonly ownerDid: string; readonly sessionId: string }): Promise<void>;
  };
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
    const { store, sources: keepers, oracle, now } = this.#parts;
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
      add(deleted, '', { messages: await store.deleteNewest(ownerDid) });
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
    for (const keeper of this.#parts.sources) {
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
