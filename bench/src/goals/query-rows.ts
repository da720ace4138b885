import type { Placement } from '../child-process.js';
import { Pairs } from './pairs.js';
import { type QueryName, queries, startQueryScene } from './query-scene.js';
import { type Row, ratioRow } from './row.js';

const titles: Readonly<Record<QueryName, string>> = { params: 'params', entity: 'an entity', claims: '100 claims' };
const goals: Readonly<Record<QueryName, number>> = { params: 2.9, entity: 3, claims: 9 };
const few = 16;
const many = 128;
/** What more callers at one time may add to the ratio. */
const moreOfMany = 1.15;
const p99Goal = 3;

export async function queryRows(placement: Placement): Promise<Row[]> {
  const scene = await startQueryScene(placement);
  const pairsOf = (name: QueryName, callers: number) =>
    Pairs.play(
      () => scene.ask(name, callers),
      () => scene.askBare(name, callers),
    );
  const rowOf = (name: QueryName, callers: number, { ratio, cpuUs }: Awaited<ReturnType<typeof pairsOf>>) => ({
    name: `${titles[name]}, ${callers} at once`,
    figure: `${cpuUs.toFixed(0)} µs`,
    isSettled: ratio.isSettled,
  });
  try {
    const rows: Row[] = [];
    for (const name of Object.keys(queries) as QueryName[]) {
      const pairs = await pairsOf(name, few);
      const row = rowOf(name, few, pairs);
      rows.push(ratioRow(row, pairs.ratio.figure, goals[name]));
      if (name === 'params') {
        const ratio = pairs.middle(({ service, bare }) => service.p99Ms / bare.p99Ms);
        const p99Ms = pairs.middle(({ service }) => service.p99Ms).figure;
        const p99 = { name: `99 % of ${row.name}`, figure: `${p99Ms.toFixed(1)} ms`, isSettled: ratio.isSettled };
        rows.push(ratioRow(p99, ratio.figure, p99Goal));
      }
      const crowd = await pairsOf(name, many);
      const ofCrowd = ratioRow(rowOf(name, many, crowd), crowd.ratio.figure, pairs.ratio.figure * moreOfMany);
      rows.push({ ...ofCrowd, goal: `${ofCrowd.goal}, 15 % above ${few} at once` });
    }
    return rows;
  } finally {
    await scene.stop();
  }
}
