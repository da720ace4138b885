import { type Background, intervalLoop } from '@mlango/async/interval-loop';
import { within } from '@mlango/async/within';
import type postgres from 'postgres';
import { errorCodeOf } from '../../errors/sql-errors.js';
import type { Logger } from '../../logging/index.js';

export interface WatchedServers {
  readonly primary: postgres.Sql;
  readonly replica: postgres.Sql;
  readonly maxLagMs: number;
  readonly logger: Logger;
}

const POLL_LIMIT_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;
/** Polls within the allowed lag. */
const POLLS = 4;

const primaryQuery =
  "select (pg_current_wal_flush_lsn() - '0/0')::text as place, system_identifier::text as cluster from pg_control_system()";
const replicaQuery = `select (pg_last_wal_replay_lsn() - '0/0')::text as place, system_identifier::text as cluster,
  pg_is_in_recovery() as follows from pg_control_system()`;

/**
 * Polls whether a replica follows this primary, and its lag. Starts at the first use; until the first poll the replica is not read.
 */
export class ReplicaWatch {
  readonly #servers: WatchedServers;
  readonly #lag = new ReplicaLag();
  /** Reject functions of the statements that run at the replica. */
  readonly #underWay = new Set<(reason: Error) => void>();
  #obstacle: string | undefined = 'not polled yet';
  #logged: string | undefined;
  #polls: Background | undefined;
  #stopped = false;

  constructor(servers: WatchedServers) {
    this.#servers = servers;
  }

  /** Whether the lag is within the limit. */
  get isFresh(): boolean {
    this.#start();
    return this.#obstacle === undefined && (this.lagMs ?? Number.POSITIVE_INFINITY) <= this.#servers.maxLagMs;
  }

  get lagMs(): number | undefined {
    this.#start();
    return this.#lag.lagMs(performance.now());
  }

  /** The outcome of a statement at the replica; rejects once a poll finds the replica unresponsive. */
  whileResponsive<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#underWay.add(reject);
      const end = () => void this.#underWay.delete(reject);
      work.then(resolve, reject).then(end, end);
    });
  }

  /** Stops reading from the replica after a failed statement, until a poll succeeds. */
  suspect(error: unknown): void {
    this.#setAside(`does not answer (${errorCodeOf(error) ?? 'no answer'})`);
  }

  stop(): void {
    this.#stopped = true;
    void this.#polls?.stop();
  }

  #start(): void {
    if (this.#polls !== undefined || this.#stopped) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, this.#servers.maxLagMs / POLLS);
    this.#polls = intervalLoop(
      () => this.#pollInTime(),
      () => pauseMs,
      { isImmediate: true },
    );
  }

  async #pollInTime(): Promise<void> {
    const poll = this.#poll();
    await within(POLL_LIMIT_MS, 'the poll of the replica', poll).catch((error: unknown) => {
      this.suspect(error);
      for (const fail of this.#underWay) fail(new Error('the replica does not answer', { cause: error }));
    });
    // One poll at a time.
    await poll.catch(() => {});
  }

  async #poll(): Promise<void> {
    const { primary, replica, maxLagMs } = this.#servers;
    const atMs = performance.now();
    const [[written], [replayed]] = await Promise.all([primary.unsafe(primaryQuery), replica.unsafe(replicaQuery)]);
    if (replayed?.['follows'] !== true) return this.#setAside('is no replica: it takes writes itself');
    if (written?.['cluster'] !== replayed['cluster']) return this.#setAside('is a replica of another database');
    this.#lag.take({ atMs, written: placeOf(written), replayed: placeOf(replayed) });
    const lagMs = this.#lag.lagMs(performance.now()) ?? Number.POSITIVE_INFINITY;
    if (lagMs > maxLagMs) return this.#setAside('is too far behind');
    this.#obstacle = undefined;
    this.#log(undefined);
  }

  #setAside(reason: string): void {
    this.#obstacle = reason;
    this.#log(reason);
  }

  /** Logs each change once. */
  #log(reason: string | undefined): void {
    const { logger } = this.#servers;
    if (this.#stopped || reason === (this.#logged ?? 'unknown')) return;
    if (reason !== undefined) logger.warn({ reason }, 'Postgres replica is not used, reading from the primary');
    else if (this.#logged !== 'in use') logger.info('Postgres replica is used');
    this.#logged = reason ?? 'in use';
  }
}

function placeOf(row: postgres.Row | undefined): bigint {
  return BigInt(String(row?.['place'] ?? -1));
}

/**
 * One simultaneous poll of both servers: the position of the primary's write-ahead log, and the position that the replica shows;
 * in bytes.
 */
export interface ReplicaPoll {
  /** When the poll began. */
  readonly atMs: number;
  readonly written: bigint;
  readonly replayed: bigint;
}

/** Maximum number of stored polls that the replica has not reached, about ten minutes. */
const maxOpenPolls = 600;

/**
 * The age of the data of a replica. The time of its last transaction is no measure: a replica that was cut off from its primary
 * would look up to date, and a replica of a primary without writes would look late.
 */
export class ReplicaLag {
  #open: ReplicaPoll[] = [];
  #shownMs: number | undefined;

  take(poll: ReplicaPoll): void {
    this.#open.push(poll);
    const shown = this.#open.findLast(({ written }) => written <= poll.replayed);
    if (shown !== undefined) this.#shownMs = shown.atMs;
    this.#open = this.#open.filter(({ written }) => written > poll.replayed).slice(-maxOpenPolls);
  }

  /** The age of the newest commit that the replica is certain to show, in ms; undefined while unknown. */
  lagMs(nowMs: number): number | undefined {
    return this.#shownMs === undefined ? undefined : nowMs - this.#shownMs;
  }
}
