import { within } from '@mlango/service-kit/within';
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

export interface RetellParts extends MeterParts {
  readonly untold: UntoldUsage;
  readonly gate: Pick<PaymentGate, 'release'>;
}

/** Tells what could not be told before, of whichever process it is, and lets go of what is still held for it. */
export async function retellUsage(parts: RetellParts): Promise<void> {
  const { untold, gate } = parts;
  const retell = async (turn: MeteredTurn) => {
    if (!(await tellMeters(parts, turn))) return false;
    if (turn.waitsUntil === undefined) await gate.release?.(turn.runId);
    await untold.drop(turn);
    return true;
  };
  for (let seen = 0; seen < toldInRound; seen += toldAtOnce) {
    const told = await Promise.all((await untold.take(toldAtOnce)).map(retell));
    if (told.length < toldAtOnce || told.includes(false)) break;
  }
}
