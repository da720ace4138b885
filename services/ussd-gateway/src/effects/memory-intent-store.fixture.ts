import type { EffectOutcome } from '../engine/position.js';
import { tenantOf } from '../sessions/session-scope.js';
import { differ, type Intent, type Subscriber, unanswered } from './intent.js';
import {
  type BeginTimes,
  type Begun,
  type IntentStore,
  type KnownIntent,
  type Lease,
  type LeasedIntent,
  messageEffect,
  messageSuffix,
  type OutcomeToReview,
  pushEffect,
  type UnderWay,
} from './intent-store.js';

interface Entry {
  readonly intent: Intent;
  readonly startedAtMs: number;
  tries: number;
  outcome: EffectOutcome | undefined;
  leasedUntilMs: number;
  dueAtMs: number;
  endedAtMs: number | undefined;
  isTold: boolean;
  readonly contradictions: EffectOutcome[];
  follows?: string;
  handedAtMs?: number | undefined;
  reference?: string | undefined;
}

/** Intents of one process, for tests. */
export class MemoryIntentStore implements IntentStore {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async begin(intent: Intent, { leaseMs, tellMs }: BeginTimes): Promise<Begun> {
    const { nonce } = intent.place;
    const isUntold = ({ outcome, isTold, endedAtMs = 0, intent: other }: Entry) =>
      outcome !== undefined && !isTold && other.place.nonce !== nonce && endedAtMs > this.#now() - tellMs;
    const isSame = (entry: Entry) =>
      entry.intent.effect === intent.effect &&
      isOf(entry, intent.subscriber) &&
      (entry.endedAtMs === undefined || isUntold(entry));
    const there = this.#entries.get(intent.key) ?? [...this.#entries.values()].find(isSame);
    if (there !== undefined) return { kind: 'known', intent: known(there) };
    const nowMs = this.#now();
    const entry: Entry = {
      intent,
      startedAtMs: nowMs,
      tries: 0,
      outcome: undefined,
      leasedUntilMs: nowMs,
      dueAtMs: nowMs,
      endedAtMs: undefined,
      isTold: false,
      contradictions: [],
    };
    this.#entries.set(intent.key, entry);
    return { kind: 'begun', leased: this.#take(entry, leaseMs) };
  }

  async lease(key: string, leaseMs: number): Promise<LeasedIntent | undefined> {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#isFree(entry) ? this.#take(entry, leaseMs) : undefined;
  }

  async leaseDue(effects: readonly string[], limit: number, leaseMs: number): Promise<readonly LeasedIntent[]> {
    return [...this.#entries.values()]
      .filter((entry) => this.#isFree(entry) && entry.dueAtMs <= this.#now() && effects.includes(entry.intent.effect))
      .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
      .slice(0, limit)
      .map((entry) => this.#take(entry, leaseMs));
  }

  async renew(lease: Lease, leaseMs: number): Promise<boolean> {
    const entry = this.#held(lease);
    if (entry !== undefined) entry.leasedUntilMs = this.#now() + leaseMs;
    return entry !== undefined;
  }

  async putOff(lease: Lease, forMs: number): Promise<void> {
    const entry = this.#held(lease);
    if (entry === undefined) return;
    entry.leasedUntilMs = this.#now();
    entry.dueAtMs = this.#now() + forMs;
  }

  async settle(key: string, outcome: EffectOutcome): Promise<EffectOutcome> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return outcome;
    if (entry.outcome?.result === unanswered && outcome.result !== unanswered) {
      entry.isTold = entry.intent.effect === messageEffect;
      entry.outcome = outcome;
      entry.endedAtMs = this.#now();
    }
    entry.outcome ??= outcome;
    if (differ(entry.outcome, outcome)) entry.contradictions.push(outcome);
    entry.endedAtMs ??= this.#now();
    this.#follow(entry, entry.outcome);
    return entry.outcome;
  }

  #follow({ intent }: Entry, { result, facts = {} }: EffectOutcome): void {
    const { messages = {}, call: _call, ...place } = intent.place;
    const message = messages[result];
    const key = `${intent.key}${messageSuffix}`;
    if (message === undefined || this.#entries.has(key)) return;
    const nowMs = this.#now();
    this.#entries.set(key, {
      intent: {
        ...intent,
        key,
        effect: messageEffect,
        place: { ...place, message: { ...message, facts: { ...message.facts, ...facts } } },
      },
      ...{ startedAtMs: nowMs, leasedUntilMs: nowMs, dueAtMs: nowMs, endedAtMs: undefined },
      ...{ tries: 0, outcome: undefined, isTold: true, contradictions: [], follows: intent.key },
    });
  }

  async noteHanded(lease: Lease, handed: 'maybe' | 'no' | { readonly reference: string }): Promise<boolean> {
    const entry = this.#held(lease);
    if (entry === undefined) return false;
    if (handed === 'maybe') entry.handedAtMs = this.#now();
    if (handed === 'no') entry.handedAtMs = undefined;
    entry.reference = typeof handed === 'object' ? handed.reference : undefined;
    return true;
  }

  async messagesBefore({ key, phoneNumber }: Pick<LeasedIntent, 'key' | 'phoneNumber'>, withinMs: number) {
    const beganMs = this.#entries.get(key)?.startedAtMs ?? 0;
    return [...this.#entries.values()].filter(
      ({ intent, follows, startedAtMs }) =>
        intent.subscriber.phoneNumber === phoneNumber &&
        follows !== undefined &&
        startedAtMs < beganMs &&
        startedAtMs > beganMs - withinMs,
    ).length;
  }

  async findByReference(reference: string): Promise<KnownIntent | undefined> {
    const entry = [...this.#entries.values()].find((one) => one.reference === reference);
    return entry && known(entry);
  }

  async giveUp(lease: Lease): Promise<void> {
    const entry = this.#held(lease);
    if (entry !== undefined) entry.endedAtMs = this.#now();
  }

  async find(key: string): Promise<KnownIntent | undefined> {
    const entry = this.#entries.get(key);
    return entry && known(entry);
  }

  async underWay(): Promise<readonly UnderWay[]> {
    const waiting = [...this.#entries.values()].filter(({ endedAtMs }) => endedAtMs === undefined);
    return (['act', 'message'] as const).map((kind) => {
      const ages = waiting
        .filter(({ follows }) => (follows === undefined) === (kind === 'act'))
        .map(({ startedAtMs }) => this.#now() - startedAtMs);
      return { kind, count: ages.length, oldestMs: Math.max(0, ...ages) };
    });
  }

  /** For `memoryDiallers`. */
  async findUntold(subscriber: Subscriber, withinMs: number): Promise<KnownIntent | undefined> {
    const entry = [...this.#entries.values()]
      .filter((one) => isOf(one, subscriber) && !one.isTold && one.intent.effect !== pushEffect)
      .filter(({ endedAtMs, outcome }) => endedAtMs === undefined || outcome !== undefined)
      .filter(({ endedAtMs, startedAtMs }) => (endedAtMs ?? startedAtMs) > this.#now() - withinMs)
      .toSorted((a, b) => b.startedAtMs - a.startedAtMs)[0];
    return entry && known(entry);
  }

  async toReview(service: string, withinMs: number, limit: number): Promise<readonly OutcomeToReview[]> {
    const since = this.#now() - withinMs;
    return [...this.#entries.values()]
      .flatMap(({ intent, outcome, endedAtMs, contradictions }) => {
        const isFailed = intent.effect === messageEffect && !['sent', 'delivered'].includes(outcome?.result ?? 'sent');
        const isMeant = tenantOf(intent.subscriber.aggregator) === service && (isFailed || contradictions.length > 0);
        if (outcome === undefined || endedAtMs === undefined || endedAtMs <= since || !isMeant) return [];
        const { key, place } = intent;
        return [{ key, webhook: place.call?.webhook, endedAt: new Date(endedAtMs), outcome, contradictions }];
      })
      .toSorted((one, other) => other.endedAt.getTime() - one.endedAt.getTime())
      .slice(0, limit);
  }

  async acknowledge(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.isTold = true;
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const old = [...this.#entries.values()]
      .filter(({ endedAtMs }) => endedAtMs !== undefined && endedAtMs <= this.#now() - olderThanMs)
      .slice(0, limit);
    for (const { intent } of old) this.#entries.delete(intent.key);
    return old.length;
  }

  #isFree({ endedAtMs, leasedUntilMs }: Entry): boolean {
    return endedAtMs === undefined && leasedUntilMs <= this.#now();
  }

  #held({ key, tries }: Lease): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry?.tries === tries && entry.endedAtMs === undefined ? entry : undefined;
  }

  #take(entry: Entry, leaseMs: number): LeasedIntent {
    entry.tries += 1;
    entry.leasedUntilMs = this.#now() + leaseMs;
    const { key, effect, place, subscriber } = entry.intent;
    const sealedInput = entry.follows === undefined ? entry.intent.sealedInput : undefined;
    const ageMs = this.#now() - entry.startedAtMs;
    const handed =
      entry.handedAtMs === undefined
        ? undefined
        : { agoMs: this.#now() - entry.handedAtMs, reference: entry.reference };
    const { aggregator, phoneNumber } = subscriber;
    return { key, effect, place, sealedInput, tries: entry.tries, aggregator, phoneNumber, ageMs, handed };
  }
}

function known({ intent, outcome }: Entry): KnownIntent {
  return { key: intent.key, place: intent.place, outcome };
}

function isOf({ intent }: Entry, { aggregator, phoneNumber, serviceCode }: Subscriber): boolean {
  const { subscriber } = intent;
  return (
    subscriber.phoneNumber === phoneNumber &&
    subscriber.aggregator === aggregator &&
    subscriber.serviceCode === serviceCode
  );
}
