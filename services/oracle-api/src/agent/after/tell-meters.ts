import { within } from '@mlango/service-kit/within';
import { isLive, type RunRegister } from '../../runs/run-register.js';
import type { PaymentGate } from '../lifecycle/payment-gate.js';
import type { MeteredTurn, UsageMeter } from './turn-usage.js';
import type { UntoldUsage } from './untold-usage.js';

export interface MeterParts {
  readonly meters: readonly UsageMeter[];
  readonly log: { error(fields: object, text: string): void };
}

/** A meter that takes longer is told again later. */
const tellMs = 5_000;

/** Told at once, and in one round. */
const toldAtOnce = 20;
const toldInRound = 500;

/** Tells each meter, whatever becomes of the others; false where one could not be told. Never rejects. */
export async function tellMeters({ meters, log }: MeterParts, turn: MeteredTurn): Promise<boolean> {
  const told = meters.map(async (meter) => {
    try {
      await within(tellMs, 'record', (async () => meter.record(turn))());
      return true;
    } catch (err) {
      log.error({ err, runId: turn.runId }, 'usage of a turn not recorded; it will be');
      return false;
    }
  });
  return (await Promise.all(told)).every(Boolean);
}

/** What turns are paid by, and what is not told yet of them. */
export interface HoldParts {
  readonly untold: UntoldUsage;
  readonly gate: Pick<PaymentGate, 'release'>;
  readonly log: MeterParts['log'];
}

/** What a run took, where it took anything. */
export interface HeldEnd {
  readonly metered: MeteredTurn | undefined;
  /** Whether all meters know of it. */
  readonly isTold: boolean;
  /** Earlier parts of it may not be told yet. */
  readonly hasWaited: boolean;
}

/**
 * Ends a run, and lets go of what is held for it: before that, so that a process that dies has let go, unless some of it is untold. Then
 * whoever tells the last of it lets go. What cannot be let go is told once more later, which meters know how to take, and let go with that.
 *
 * @param end is given what is to be told later
 */
export async function endHeld(
  { untold: store, gate, log }: HoldParts,
  runId: string,
  { metered, isTold, hasWaited }: HeldEnd,
  end: (untold: MeteredTurn | undefined) => Promise<unknown>,
): Promise<void> {
  const letGo = async () => {
    try {
      await gate.release?.(runId);
      return true;
    } catch (err) {
      log.error({ err, runId }, 'payment not let go; it will be');
      return false;
    }
  };
  const owes = !isTold || (hasWaited && (await store.has(runId)));
  const isFree = !owes && (await letGo());
  await end(isTold && (isFree || owes) ? undefined : metered);
  // It may have been told while the run had not ended, or have taken nothing.
  if (!isFree && !(await store.has(runId))) await letGo();
}

export interface RetellParts extends MeterParts, HoldParts {
  readonly register: Pick<RunRegister, 'find'>;
}

/** Tells what could not be told before, of whichever process it is, and lets go of what is held for runs that have ended, with the last of theirs. */
export async function retellUsage(parts: RetellParts): Promise<void> {
  const { untold, gate, register } = parts;
  const hasEnded = async ({ ownerDid, runId }: MeteredTurn) => {
    const { status = 'finished' } = (await register.find(ownerDid, runId)) ?? {};
    return !isLive(status) && status !== 'waiting';
  };
  const retell = async (turn: MeteredTurn) => {
    const { runId, part } = turn;
    if (!(await tellMeters(parts, turn))) return false;
    const isLast = !(await untold.has(runId, part));
    if (isLast && (await hasEnded(turn))) await gate.release?.(runId);
    await untold.drop(turn);
    // Another part may have been told at the same time.
    if (!isLast && !(await untold.has(runId)) && (await hasEnded(turn))) await gate.release?.(runId);
    return true;
  };
  for (let seen = 0; seen < toldInRound; seen += toldAtOnce) {
    const told = await Promise.all((await untold.take(toldAtOnce)).map(retell));
    if (told.length < toldAtOnce || told.includes(false)) break;
  }
}
