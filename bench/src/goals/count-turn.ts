import { setTimeout as sleep } from 'node:timers/promises';
import { countStatements, countTrips } from './count-wire.js';
import type { Stores } from './start-service.js';
import { askAll, sessionsOf, startOracle } from './turn-scene.js';

/** What a turn of one word asks of the stores, from the message to the last that is written of it. */
export interface TurnCounts {
  /** Statements, by their texts. */
  readonly statements: readonly string[];
  /** Writes of sockets to Redis, by the commands in each. */
  readonly trips: readonly string[];
}

const warmUps = 3;
const turns = 8;
/** After this long without a word to a store a turn is over. */
const quietMs = 150;

/**
 * Counts some turns, one after another in a session that has its title, and returns the one with least: in the others there is something
 * of what an oracle does by the clock.
 */
export async function countTurn(stores: Stores): Promise<TurnCounts> {
  const [statements, trips] = await Promise.all([countStatements(stores.DATABASE_URL), countTrips(stores.REDIS_URL)]);
  const oracle = await startOracle({ DATABASE_URL: statements.url, REDIS_URL: trips.url }, {});
  try {
    const sessions = await sessionsOf(oracle, 1);
    const takeAll = async (): Promise<TurnCounts> => {
      const all = { statements: [] as string[], trips: [] as string[] };
      for (;;) {
        const [said, sent] = [statements.take(), trips.take()];
        if (said.length + sent.length === 0) return all;
        all.statements.push(...said);
        all.trips.push(...sent);
        await sleep(quietMs);
      }
    };
    for (let turn = 0; turn < warmUps; turn++) await askAll(oracle, sessions, 1);
    await sleep(quietMs);
    await takeAll();
    const counts: TurnCounts[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const [reading] = await askAll(oracle, sessions, 1);
      if (reading?.isComplete !== true) throw new Error('a turn did not finish');
      counts.push(await takeAll());
    }
    const sizeOf = ({ statements: said, trips: sent }: TurnCounts) => said.length + sent.length;
    const [least] = counts.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    if (least === undefined) throw new Error('nothing was counted');
    return least;
  } finally {
    await oracle.stop();
    statements.close();
    trips.close();
  }
}
