import { within } from '@mlango/async/within';
import { ServiceError } from '@mlango/service-kit/errors';
import type { RateLimitStore, ReturnableAllowance } from '@mlango/service-kit/rate-limit';
import { dayMs } from '../limits.js';
import type { PaidSend, PaymentDemand, PaymentGate } from '../runs/payment.js';
import type { StorageLimits } from '../store/storage-limits.js';

/** Messages of each user in a UTC day, over all replicas. */
export class DailyMessages {
  readonly #store: RateLimitStore;
  readonly #max: number;
  readonly #now: () => Date;

  /** @param max 0: no limit */
  constructor(store: RateLimitStore, max: number, now: () => Date) {
    this.#store = store;
    this.#max = max;
    this.#now = now;
  }

  /**
   * Takes one message of the user's daily allowance. Returns a function that gives it back.
   * @throws ServiceError `rate_limited` until the end of the day when the allowance is used up
   */
  async take(ownerDid: string): Promise<() => Promise<void>> {
    if (this.#max === 0) return async () => undefined;
    const nowMs = this.#now().getTime();
    const key = `messages:${Math.floor(nowMs / dayMs)}:${ownerDid}`;
    const { count } = await this.#store.hit(key, dayMs);
    const giveBack = async () => void (await this.#store.hit(key, dayMs, -1));
    if (count <= this.#max) return giveBack;
    await giveBack();
    const seconds = Math.ceil((dayMs - (nowMs % dayMs)) / 1_000);
    throw limited(
      `You have sent ${this.#max} messages today, the maximum. Retry in ${seconds} seconds.`,
      'messages_per_day',
      seconds,
    );
  }
}

/** Dependencies of admission. */
export interface AdmissionParts {
  readonly gate: PaymentGate;
  readonly dailyMessages: Pick<DailyMessages, 'take'>;
  /** Turns of an address per day. */
  readonly addresses: { readonly turns: ReturnableAllowance };
  readonly storage: Pick<StorageLimits, 'take'>;
}

/** A message that requests a turn. */
export interface MessageToAdmit extends PaidSend {
  /** The `addressKey` of its sender. A user of a plugin has none and is limited like one address. */
  readonly address: string | undefined;
  readonly message: string;
}

/** A run, a question, an answer and the other rows of a turn. */
const rowsOfTurn = 4;

/**
 * Admits the messages of our own routes, of every protocol and of plugins: payment, daily allowance, address and storage limits.
 * The allowances are restored when no turn begins.
 * @param begin receives a promise that resolves once the message is admitted, so that the log can begin meanwhile
 * @throws ServiceError for a limit
 */
export function admit<Begun extends { readonly kind: string }>(
  { gate, dailyMessages, addresses, storage }: AdmissionParts,
  { address, message, ...send }: MessageToAdmit,
  begin: (allowed: Promise<void>) => Promise<Begun>,
): Promise<Begun | PaymentRequired> {
  return whenPaid(gate, send, async () => {
    const holder = address ?? send.ownerDid;
    const bytes = Buffer.byteLength(message);
    const taken = [
      dailyMessages.take(send.ownerDid),
      takeTurn(addresses.turns, holder),
      storage.take(holder, { table: 'messages', bytes, rows: rowsOfTurn }),
    ];
    const allowed = Promise.all(taken).then(() => undefined);
    let hasBegun = false;
    try {
      const begun = await begin(allowed);
      // A limit is reported first, even if no turn would begin for another reason.
      await allowed;
      hasBegun = begun.kind === 'started';
      return begun;
    } finally {
      // The allowances reset at the end of the day, so a failure here is ignored.
      if (!hasBegun) await Promise.allSettled(taken.map(async (one) => (await one)()));
    }
  });
}

/** A client that invents users still has one address. Returns a function that gives the turn back. */
async function takeTurn(turns: ReturnableAllowance, holder: string): Promise<() => Promise<void>> {
  const taken = await turns.take(holder);
  if (taken.ok) return () => turns.giveBack(holder);
  const { retryAfterSeconds } = taken;
  throw limited(
    `Too many messages from your network in one day. Retry in ${retryAfterSeconds} seconds.`,
    'turns',
    retryAfterSeconds,
  );
}

function limited(message: string, limiter: string, seconds: number): ServiceError {
  return new ServiceError('rate_limited', message, { headers: { 'retry-after': String(seconds) }, limiter });
}

/** The gate of a free service. */
export const openGate: PaymentGate = { demandOf: async () => undefined };

export interface PaymentRequired {
  readonly kind: 'payment_required';
  readonly demand: PaymentDemand;
}

/** Begins a run if its gate permits. The hold of a run that does not begin is released. */
export async function whenPaid<Begun extends { readonly kind: string }>(
  gate: PaymentGate,
  send: PaidSend,
  begin: () => Promise<Begun>,
): Promise<Begun | PaymentRequired> {
  let hasBegun = false;
  try {
    const demand = await gate.demandOf(send);
    if (demand !== undefined) return { kind: 'payment_required', demand };
    const begun = await begin();
    hasBegun = begun.kind === 'started';
    return begun;
  } finally {
    // A failed release is retried.
    if (!hasBegun) await gate.release?.(send.runId).catch(() => undefined);
  }
}

/** Maximum number of remembered holds; each expires by itself. */
const mostRemembered = 10_000;

/** Timeout of one release; it is retried later. */
const releaseTimeoutMs = 5_000;

/** Concurrent retries, and retries per round. */
const concurrentReleases = 20;
const releasesPerRound = 500;

/** A gate that remembers failed releases. */
export interface RetryingGate extends PaymentGate {
  /** Rejects when the gate fails or takes longer than 5 seconds; the release is then remembered. */
  release(runId: string): Promise<void>;
  /** Retries failed releases, at most 500. Tries all of them, then rejects with the first failure; failed ones remain for the next call. */
  retryReleases(): Promise<void>;
}

/** Retries failed releases, which would otherwise stay held until they expire. */
export function withHoldRetry(gate: PaymentGate): RetryingGate {
  const left = new Set<string>();
  const release = async (runId: string) => {
    if (gate.release !== undefined) await within(releaseTimeoutMs, 'release', gate.release(runId));
    left.delete(runId);
  };
  /** A release that fails again is retried after the others. */
  const retry = async (runId: string) => {
    try {
      await release(runId);
    } catch (error) {
      if (left.delete(runId)) left.add(runId);
      throw error;
    }
  };
  return {
    demandOf: (send) => gate.demandOf(send),
    async release(runId) {
      try {
        await release(runId);
      } catch (error) {
        if (left.size < mostRemembered) left.add(runId);
        throw error;
      }
    },
    async retryReleases() {
      const due = Array.from(left).slice(0, releasesPerRound);
      const failures: unknown[] = [];
      while (due.length > 0) {
        const retried = await Promise.allSettled(due.splice(0, concurrentReleases).map(retry));
        for (const each of retried) if (each.status === 'rejected') failures.push(each.reason);
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
