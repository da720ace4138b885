import { attemptAll } from '@mlango/async/attempt-all';
import type { UcanSigner } from '@mlango/ucan-auth/minting';
import type { Turns } from '../agent/turns.js';
import type { OracleIdentity } from '../identity/oracle-identity.js';
import type { RunLogStore } from '../runs/log/store.js';
import type { ForgottenRows, OwnRow, RetainedRows } from './account-data.js';
import type { AccountDataStore, ForgottenUser } from './account-data-store.js';
import { exportFiles, zipFiles } from './export-archive.js';

/** A deletion of a user's data. */
export interface Deletion {
  readonly id: string;
  readonly did: string;
  readonly oracleDid: string;
  readonly deletedAt: Date;
  /** Number of deleted rows by kind. */
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept: readonly RetainedRows[];
}

export interface DeletionReceipt extends Deletion {
  /** The deletion as a JSON Web Signature (RFC 7515, compact; EdDSA, RFC 8037). `kid` is the did:key of the key of the oracle. */
  readonly jws: string;
}

export function signReceipt(deletion: Deletion, signer: Pick<UcanSigner, 'keyDid' | 'sign'>): DeletionReceipt {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: signer.keyDid };
  const signed = [header, deletion].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = Buffer.from(signer.sign(Buffer.from(signed))).toString('base64url');
  return { ...deletion, jws: `${signed}.${signature}` };
}

/** User data outside the oracle's tables: a plugin. */
export interface AccountDataSource {
  readonly name: string;
  export(ownerDid: string): AsyncIterable<OwnRow>;
  /** Idempotent. */
  forget(ownerDid: string): Promise<ForgottenRows>;
}

export interface AccountParts {
  readonly store: Pick<AccountDataStore, 'export' | 'busySessions' | 'endedRuns' | 'deleteNewest' | 'forget'>;
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

/** Attempts to stop turns before a deletion fails as `busy`. */
const attempts = 5;

/** Export and deletion of all data of a user. */
export class Account {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** Streams all data as a ZIP archive of JSON lines. */
  export(ownerDid: string): AsyncGenerator<Uint8Array, void> {
    const { store, sources: pluginSources, oracle, now } = this.#parts;
    const begunAt = now();
    const sources = [
      { folder: '', rows: () => store.export(ownerDid) },
      ...pluginSources.map((source) => ({ folder: `plugins/${source.name}/`, rows: () => source.export(ownerDid) })),
    ];
    const about = () => ({ did: ownerDid, oracleDid: oracle.did, oracleName: oracle.name, begunAt, endedAt: now() });
    return zipFiles(exportFiles(sources, about));
  }

  /**
   * Deletes all data and returns a receipt; `busy` if turns start faster than they can be stopped. Rejects when a store, the run log or a
   * plugin fails. Can be repeated, also after a failure.
   */
  async delete(ownerDid: string): Promise<DeletionReceipt | 'busy'> {
    const { store, turns, oracle, signer, now, newId } = this.#parts;
    const deleted: Record<string, number> = {};
    for (let attempt = 0; attempt < attempts; attempt++) {
      for (const sessionId of await store.busySessions(ownerDid)) await turns.stop(ownerDid, sessionId, 'aborted');
      await this.#forgetInPlugins(ownerDid, deleted);
      // A repeated deletion does not find the runs of deleted rows.
      await this.#forgetFrames(ownerDid, await store.endedRuns(ownerDid));
      add(deleted, '', { messages: await store.deleteNewest(ownerDid) });
      const forgotten = await store.forget(ownerDid);
      if (forgotten === 'busy') continue;
      add(deleted, '', forgotten.deleted);
      const retained = [...forgotten.retained, ...(await this.#forgetRest(ownerDid, forgotten, deleted))];
      const receipt = { id: newId(), did: ownerDid, oracleDid: oracle.did, deletedAt: now(), deleted, kept: retained };
      return signReceipt(receipt, signer);
    }
    return 'busy';
  }

  /** Deletes data outside the oracle's tables after the rows, and closes the sockets. Tries every step, then rejects with the first failure. */
  async #forgetRest(
    ownerDid: string,
    { runIds, sessionIds }: Pick<ForgottenUser, 'runIds' | 'sessionIds'>,
    deleted: Record<string, number>,
  ): Promise<RetainedRows[]> {
    const retained: RetainedRows[] = [];
    await attemptAll([
      ...sessionIds.map((sessionId) => () => this.#parts.realtime.closeSession({ ownerDid, sessionId })),
      () => this.#forgetFrames(ownerDid, runIds),
      // A turn may have stored plugin data after the first pass; no turn can run now.
      async () => void retained.push(...(await this.#forgetInPlugins(ownerDid, deleted))),
    ]);
    return retained;
  }

  #forgetFrames(ownerDid: string, runIds: readonly string[]): Promise<void> {
    return this.#parts.runs.forget(runIds.map((runId) => ({ runId, ownerDid })));
  }

  /** Tries every source, then rejects with the first failure. */
  async #forgetInPlugins(ownerDid: string, deleted: Record<string, number>): Promise<RetainedRows[]> {
    const retained: RetainedRows[] = [];
    const forget = async (source: AccountDataSource) => {
      const forgotten = await source.forget(ownerDid);
      add(deleted, `${source.name}/`, forgotten.deleted);
      retained.push(
        ...(forgotten.kept ?? []).map(({ kind, ...rest }) => ({ kind: `${source.name}/${kind}`, ...rest })),
      );
    };
    await attemptAll(this.#parts.sources.map((source) => () => forget(source)));
    return retained;
  }
}

function add(to: Record<string, number>, prefix: string, counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts)) to[prefix + kind] = (to[prefix + kind] ?? 0) + count;
}
