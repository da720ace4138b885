import type { MeteredTurn, UsageMeter } from './turn-usage.js';

export interface MeterParts {
  readonly meters: readonly UsageMeter[];
  readonly log: { error(fields: object, text: string): void };
}

/** Tells each meter, whatever becomes of the others. Never rejects. */
export async function tellMeters({ meters, log }: MeterParts, turn: MeteredTurn): Promise<void> {
  for (const each of meters) {
    try {
      await each.record(turn);
    } catch (err) {
      log.error({ err, runId: turn.runId }, 'usage of a turn not recorded');
    }
  }
}
