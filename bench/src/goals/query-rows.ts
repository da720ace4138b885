import type { Placement } from '../child-process.js';
import type { Load } from '../load-lines.js';
import { type QueryName, queries, startQueryScene } from './query-scene.js';
import { type Row, ratioRow } from './row.js';
import { settled } from './settled.js';

const titles: Readonly<Record<QueryName, string>> = { params: 'params', entity: 'an entity', claims: '100 claims' };
const goals: Readonly<Record<QueryName, number>> = { params: 2.9, entity: 3, claims: 9 };
const few = 16;
const many = 128;
/** What more callers at one time may add. */
const moreOfMany = 1.15;
const p99Goal = 3;

/** A query and its floor, in rounds that take turns. */
interface Pair {
  readonly query: Load;
  readonly bare: Load;
}

const ratioOf = ({ query, bare }: Pair) => query.cpuUs / bare.cpuUs;

export async function queryRows(placement: Placement): Promise<Row[]> {
  const scene = await startQueryScene(placement);
  const pair = (name: QueryName, callers: number) =>
    settled(
      async (): Promise<Pair> => ({ bare: await scene.askBare(name, callers), query: await scene.ask(name, callers) }),
      ratioOf,
    );
  try {
    const rows: Row[] = [];
    for (const name of Object.keys(queries) as QueryName[]) {
      const one = await pair(name, few);
      const { cpuUs, p99Ms } = one.round.query;
      const row = { name: `${titles[name]}, ${few} at once`, figure: us(cpuUs), isSettled: one.isSettled };
      rows.push(ratioRow(row, ratioOf(one.round), goals[name]));
      if (name === 'params') {
        const p99 = {
          name: `99 % of params, ${few} at once`,
          figure: `${p99Ms.toFixed(1)} ms`,
          isSettled: one.isSettled,
        };
        rows.push(ratioRow(p99, p99Ms / one.round.bare.p99Ms, p99Goal));
      }
      const crowd = await pair(name, many);
      const most = cpuUs * moreOfMany;
      rows.push({
        name: `${titles[name]}, ${many} at once`,
        figure: us(crowd.round.query.cpuUs),
        ratio: ratioOf(crowd.round),
        goal: `at most ${us(most)}, 15 % above ${few} at once`,
        holds: crowd.round.query.cpuUs <= most,
        isSettled: crowd.isSettled,
      });
    }
    return rows;
  } finally {
    await scene.stop();
  }
}

function us(figure: number): string {
  return `${figure.toFixed(0)} µs`;
}
