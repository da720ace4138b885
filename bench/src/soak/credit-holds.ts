import type { Scene } from './scene.js';

export interface CreditHold {
  readonly tokens: number;
  /** An hour after it was made. */
  readonly expiresAt: Date;
}

const holdMs = 3_600_000;
/** Between the hold and the first thing that is kept of its message, on a busy machine. */
const beginningMs = 15_000;

/** What is still set aside for turns. */
export async function keptHolds({ postgres }: Scene): Promise<CreditHold[]> {
  return postgres.admin('oracle')<
    CreditHold[]
  >`select tokens::float8 as tokens, expires_at as "expiresAt" from credit_holds`;
}

/** Those that nobody explains: of a message whose process was killed before anything of it was kept, what is held runs out after an hour. */
export function unexplained(holds: readonly CreditHold[], oracleKills: readonly Date[]): CreditHold[] {
  return holds.filter(({ expiresAt }) => {
    const madeMs = expiresAt.getTime() - holdMs;
    return !oracleKills.some((kill) => madeMs <= kill.getTime() && madeMs > kill.getTime() - beginningMs);
  });
}
