import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import type { Random } from '@mlango/test-services/random';
import { sqlCallers } from '../../src/accounts/find-callers.js';
import type { RunEffect } from '../../src/effects/effect.js';
import { EffectRunner, unshownOutcomeMs } from '../../src/effects/effect-runner.js';
import { EffectStore } from '../../src/effects/effect-store.js';
import { inputSeal } from '../../src/effects/sealed-input.js';
import type { Flow } from '../../src/engine/flow.js';
import type { Hop } from '../../src/sessions/classify-hop.js';
import type { HopReply } from '../../src/sessions/decide-reply.js';
import { callerFinder, type FindCaller } from '../../src/sessions/find-caller.js';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import type { Outside } from '../../src/sessions/next-position.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import type { SessionRecord } from '../../src/sessions/session-record.js';
import { sessionSecrets } from '../../src/sessions/session-secrets.js';
import type { SessionStore } from '../../src/sessions/session-store.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';
import type { emptyDatabase } from '../support/embedded-database.js';
import { Bank, payIn } from './bank.js';
import { payFlow } from './pay-flow.js';

const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 3) }]);
const logger = createLogger({ service: 'test', level: 'silent' });
/** Dials skip the lookup for three seconds after a failure, and their sessions continue from the start screen. */
const unknownMs = 3000 + 8000;
const now = () => Date.now();

/** Flow and queries served by the processes. */
export interface Served {
  readonly flow: Flow;
  /** @param die ends the calling process. */
  readonly query: (die: () => void) => Outside['runQuery'];
}

const paying: Served = { flow: payFlow, query: () => () => Promise.reject(new Error('this flow has no query')) };

/** One process of the gateway. Once it is dead, its remaining actions have no visible effect. */
class Replica {
  isDead = false;
  readonly #effectRunner: EffectRunner;
  readonly #taker: HopDeps;
  readonly #looking: NodeJS.Timeout;

  constructor(world: PayWorld, { flow, query }: Served, pay: (replica: Replica) => RunEffect) {
    const effectStore = this.#seen<EffectStore>(() => world.unsteadyEffectStore());
    this.#effectRunner = new EffectRunner({
      store: effectStore,
      effects: { pay: pay(this) },
      seal: inputSeal(keyring),
      logger,
    });
    const effectRunner = this.#effectRunner;
    this.#taker = {
      store: this.#seen(() => world.recordedSessions()),
      queue: new SessionQueue(),
      rules: {
        flows: [flow],
        facts: {},
        textMode: 'auto',
        secrets: sessionSecrets(keyring),
        outside: {
          effectRunner,
          checks: {},
          runQuery: query(() => this.die()),
          findCaller: callerFinder({
            find: this.#seen(() => world.callers).find,
            clock: now,
            logger: { ...logger, warn: () => world.forgetCallers() },
          }),
        },
      },
      sessionTtlMs: 180_000,
      resumeWindowMs: unshownOutcomeMs,
      hopDeadlineMs: 5000,
      clock: now,
    };
    this.#looking = setInterval(() => void effectRunner.resumeDue(10).catch(() => {}), 10_000);
  }

  take(hop: Hop): Promise<HopReply> {
    return this.#unlessDead(() => runHop(hop, this.#taker));
  }

  acknowledge(key: string, sessionId: string): Promise<void> {
    return this.#unlessDead(() => this.#effectRunner.acknowledge(key, sessionId));
  }

  die(): void {
    this.isDead = true;
    clearInterval(this.#looking);
  }

  /** A store, as long as the process lives to call it and to receive the result. */
  #seen<Store extends object>(store: () => Store): Store {
    return new Proxy({} as Store, {
      get: (_, name) => {
        return (...args: unknown[]) =>
          this.#unlessDead(() => {
            const target = store() as Record<string | symbol, (...args: unknown[]) => Promise<unknown>>;
            return target[name]?.(...args) ?? Promise.reject(new Error(`no ${String(name)}`));
          });
      },
    });
  }

  async #unlessDead<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.isDead) return new Promise<never>(() => {});
    try {
      return await work();
    } finally {
      // A dead process receives neither a result nor an error.
      if (this.isDead) await new Promise<never>(() => {});
    }
  }
}

/** Two processes of the gateway on shared stores, and a bank. */
export class PayWorld {
  sessions = new MemorySessionStore({ clock: now });
  readonly effectStore: EffectStore;
  /** Looks up callers, as a store. */
  readonly callers: { readonly find: FindCaller };
  readonly bank = new Bank();
  /** Time at which each effect was begun. */
  readonly begunAtMs: number[] = [];
  /** Until this time a dial may be served without a caller lookup: the store of effects was unavailable. */
  unknownUntilMs = 0;
  /** What was saved of the last session, oldest first. */
  #saved: { readonly record: SessionRecord; readonly liveMs: number }[] = [];
  readonly #random: Random;
  readonly #served: Served;
  readonly #replicas: Replica[];
  /** Advances time in small steps, also while both processes are dead. */
  readonly #clock = setInterval(() => {}, 500);

  /** @param database without rows. */
  constructor(database: Awaited<ReturnType<typeof emptyDatabase>>, random: Random, served = paying) {
    this.effectStore = new EffectStore(database);
    this.callers = { find: sqlCallers(database, unshownOutcomeMs) };
    this.#random = random;
    this.#served = served;
    this.#replicas = [this.#replica(), this.#replica()];
  }

  /** A live process: a dead one restarts without its memory. */
  replica(): Replica {
    const index = this.#random.between(0, 1);
    const found = this.#replicas[index];
    if (found !== undefined && !found.isDead) return found;
    const next = this.#replica();
    this.#replicas[index] = next;
    return next;
  }

  /** Deletes all sessions. */
  forget(): void {
    this.sessions = new MemorySessionStore({ clock: now });
  }

  /** Restores an older record of the last session, as a failover to a late replica does. False if there is none. */
  async restoreOlder(): Promise<boolean> {
    const older = this.#saved.at(-this.#random.between(2, 4));
    if (older === undefined) return false;
    this.forget();
    const hold = await this.sessions.hold(older.record, 1000);
    if (hold.kind === 'held') await this.sessions.save(hold.lock, older.record, older.liveMs);
    return true;
  }

  /** The store of sessions; it records what is saved. */
  recordedSessions(): SessionStore {
    const { sessions } = this;
    return new Proxy<SessionStore>(sessions, {
      get: (_, name: keyof SessionStore) => {
        if (name !== 'save') return sessions[name].bind(sessions);
        return async (...args: Parameters<SessionStore['save']>) => {
          const [, record, liveMs] = args;
          const isSaved = await sessions.save(...args);
          const isOfLast = this.#saved.at(-1)?.record.sessionId === record.sessionId;
          if (isSaved) this.#saved = [...(isOfLast ? this.#saved : []), { record: { ...record }, liveMs }];
          return isSaved;
        };
      },
    });
  }

  forgetCallers(): void {
    this.unknownUntilMs = now() + unknownMs;
  }

  close(): void {
    clearInterval(this.#clock);
    for (const replica of this.#replicas) replica.die();
  }

  /** The store of effects over a network: it is sometimes unavailable, before or after it executed a request. */
  unsteadyEffectStore(): EffectStore {
    const { effectStore } = this;
    const unsteady = async <Value>(work: () => Promise<Value>): Promise<Value> => {
      const luck = this.#random.next();
      if (luck < 0.02) throw new Error('away');
      const value = await work();
      if (luck > 0.98) throw new Error('away');
      return value;
    };
    return new Proxy(effectStore, {
      get: (_, name) => {
        if (name !== 'begin') {
          const target = effectStore as unknown as Record<string | symbol, (...args: unknown[]) => Promise<unknown>>;
          return (...args: unknown[]) => unsteady(async () => target[name]?.(...args));
        }
        return (...args: Parameters<EffectStore['begin']>) =>
          unsteady(async () => {
            const begun = await effectStore.begin(...args);
            if (begun.kind === 'begun') this.begunAtMs.push(now());
            return begun;
          });
      },
    });
  }

  #replica(): Replica {
    return new Replica(this, this.#served, (replica) =>
      payIn({ bank: this.bank, random: this.#random, die: () => replica.die(), isDead: () => replica.isDead }),
    );
  }
}
