import { Random } from '@mlango/test-services/random';
import type { Effect } from './effects.js';
import { type Plan, planOf } from './plan.js';
import type { ProcessLife } from './process-life.js';
import { type Replica, startReplica } from './replica.js';

import { type Database, type Shared, sharedOn } from './timed-stores.js';

/** Two processes, their shared stores, a user with a balance, and the effects of their tools. */
export class World {
  readonly random: Random;
  readonly owner: string;
  readonly sessions: readonly string[];
  readonly onConflict: 'interrupt' | 'enqueue';
  readonly balance: number;
  readonly shared: Shared;
  readonly db: Database;
  readonly effects: Effect[] = [];
  /** Failures of plugins. */
  readonly failures: string[] = [];
  /** Log of events, for failure messages. */
  readonly history: string[] = [];
  /** Reported tokens by message. */
  readonly counted = new Map<string, number>();
  /** Messages with text but without reported tokens. */
  readonly uncounted = new Set<string>();
  readonly #seed: number;
  readonly #plans = new Map<string, Plan>();
  readonly #replicas: Replica[] = [];
  readonly #sent: { readonly requestId: string; readonly life: ProcessLife }[] = [];
  /** Whether claims cannot be written now. */
  isRefusing = false;
  #started = 0;

  private constructor(seed: number, db: Database, tick: () => Promise<void>) {
    this.#seed = seed;
    this.random = new Random(seed);
    this.owner = `did:key:u${seed}`;
    this.sessions = [`s${seed}a`, `s${seed}b`];
    this.onConflict = this.random.pick(['interrupt', 'enqueue']);
    this.balance = this.random.pick([1, 15_000, 45_000, 1_000_000, 1_000_000, 1_000_000]);
    this.db = db;
    this.shared = sharedOn(db, tick, () => this.isRefusing);
  }

  static async open(seed: number, db: Database, tick: () => Promise<void>): Promise<World> {
    const world = new World(seed, db, tick);
    const { owner: ownerDid, balance: tokens, shared } = world;
    for (const sessionId of world.sessions) {
      await shared.conversations.createSession(ownerDid, { sessionId, createdAt: new Date() });
    }
    await shared.ledger.topUp({ topUpId: ownerDid, ownerDid, tokens, at: new Date() });
    return world;
  }

  /** A running process; a killed process is restarted without its memory. */
  async replica(at = this.random.between(0, 1)): Promise<Replica> {
    const found = this.#replicas[at];
    if (found !== undefined && !found.life.isOver) return found;
    const next = await startReplica(`${this.#seed}.${++this.#started}`, this);
    this.#replicas[at] = next;
    return next;
  }

  /** Plan of a message, for the model of a process. */
  planOf(requestId: string, life: ProcessLife): Plan {
    this.#sent.push({ requestId, life });
    const known = this.#plans.get(requestId) ?? planOf(requestId, this.luckOf(requestId));
    this.#plans.set(requestId, known);
    return known;
  }

  /** Deterministic by key, independent of time and caller. */
  luckOf = (key: string): Random => {
    let hash = this.#seed;
    for (const letter of key) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
    return new Random(hash);
  };

  /** Whether a process that handled a message has died. */
  wasKilled(requestId: string): boolean {
    return this.#sent.some((sent) => sent.requestId === requestId && sent.life.isOver);
  }

  count(requestId: string, tokens: number): void {
    this.counted.set(requestId, (this.counted.get(requestId) ?? 0) + tokens);
  }

  note(text: string): void {
    this.history.push(`${Date.now()} ${text}`);
  }

  close(): void {
    for (const { life } of this.#replicas) life.end();
  }
}
