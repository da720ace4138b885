import { ServiceError } from '@mlango/service-kit/errors';
import type { Allowance, RateLimitStore } from '@mlango/service-kit/rate-limit';
import { dayMs } from '../limits.js';
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
   * Takes one message of the user's day, and gives what returns it to that day.
   * @throws ServiceError `rate_limited` until the day ends, where the user has none left
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
      `You have sent ${this.#max} messages today, and may send no more. Retry in ${seconds} seconds.`,
      'messages_per_day',
      seconds,
    );
  }
}

/** Dependencies of admission. */
export interface AdmissionParts {
  readonly gate: PaymentGate;
  readonly dailyMessages: Pick<DailyMessages, 'take'>;
  /** Turns of an address in a day. */
  readonly addresses: { readonly turns: Allowance };
  readonly storage: Pick<StorageLimits, 'take'>;
}

/** A message that asks for a turn. */
export interface MessageToAdmit extends PaidSend {
  /** The `addressKey` of its sender. A user of a plugin has none, and has the share of an address alone. */
  readonly address: string | undefined;
  readonly message: string;
}

/** A run, a question, its answer, and what else a turn stores. */
const rowsOfTurn = 4;

/**
 * The one admission of messages, of our own routes, of every protocol and of plugins: payment, the user's day, the address and its storage.
 * What was taken of the user's day is given back when no turn begins.
 *
 * @param begin is given what resolves once the message is admitted, so that a turn can begin its log meanwhile
 * @throws ServiceError for a limit
 */
export function admit<Begun extends { readonly kind: string }>(
  { gate, dailyMessages, addresses, storage }: AdmissionParts,
  { address, message, ...send }: MessageToAdmit,
  begin: (allowed: Promise<void>) => Promise<Begun>,
): Promise<Begun | PaymentRequired> {
  return whenPaid(gate, send, async () => {
    const holder = address ?? send.ownerDid;
    const taken = dailyMessages.take(send.ownerDid);
    const bytes = Buffer.byteLength(message);
    const stored = storage.take(holder, { table: 'messages', bytes, rows: rowsOfTurn });
    const allowed = Promise.all([taken, takeTurn(addresses.turns, holder), stored]).then(() => undefined);
    let hasBegun = false;
    try {
      const begun = await begin(allowed);
      // A message over a limit is told so also where no turn would begin for another reason.
      await allowed;
      hasBegun = begun.kind === 'started';
      return begun;
    } finally {
      // The day ends by itself: a message that cannot be given back is gone until then.
      if (!hasBegun) await taken.then((giveBack) => giveBack()).catch(() => undefined);
    }
  });
}

/** A client that makes up users has one address all the same. */
async function takeTurn(turns: Allowance, holder: string): Promise<void> {
  const taken = await turns.take(holder);
  if (taken.ok) return;
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

/** A payment that is required before an answer. */
export interface PaymentDemand {
  /** For the user. */
  readonly message: string;
  /** Ids of the claims that have to be paid. */
  readonly claims: readonly string[];
}

/** A message, and the run that will answer it. */
export interface PaidSend {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly runId: string;
}

/**
 * Says whether a user may send a message now.
 *
 * Failure: a gate that cannot tell rejects, and the message is refused: nothing is answered for free by mistake.
 */
export interface PaymentGate {
  /** Undefined: nothing has to be paid. What the gate sets aside for the run, it sets aside before it answers. */
  demandOf(send: PaidSend): Promise<PaymentDemand | undefined>;
  /**
   * The run has ended, and the meters know what it took, or it never began: what is still set aside for it is let go. May be
   * told again, and of runs for which nothing was; it is not told of a send whose process was killed before its run was kept.
   */
  release?(runId: string): Promise<void>;
}

/** The gate of a free service. */
export const openGate: PaymentGate = { demandOf: async () => undefined };

export interface PaymentRequired {
  readonly kind: 'payment_required';
  readonly demand: PaymentDemand;
}

/** Begins a run where its gate lets it. What was set aside for a run that does not begin is let go. */
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
    // What cannot be let go now is tried again.
    if (!hasBegun) await gate.release?.(send.runId).catch(() => undefined);
  }
}

/** Holds remembered at most; each expires by itself. */
const mostRemembered = 10_000;

/** A gate that remembers failed releases. */
export interface RetryingGate extends PaymentGate {
  release(runId: string): Promise<void>;
  /** Retries failed releases. Rejects at the first failure; the rest stays for the next call. */
  retryReleases(): Promise<void>;
}

/** Retries failed releases, which would otherwise stay held until they expire. */
export function withHoldRetry(gate: PaymentGate): RetryingGate {
  const left = new Set<string>();
  const release = async (runId: string) => {
    await gate.release?.(runId);
    left.delete(runId);
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
      for (const runId of [...left]) await release(runId);
    },
  };
}
