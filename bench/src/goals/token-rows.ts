import { fileURLToPath } from 'node:url';
import { type Placement, runChild } from '../child-process.js';
import { type Row, ratioRow } from './row.js';

const goal = 1.8;

/** Tokens of 0 to 3 proofs that were not seen before, beside the bare signatures of OpenSSL: the best of fifteen rounds of each. */
export async function tokenRows(placement: Placement): Promise<Row[]> {
  const file = fileURLToPath(new URL('./token-figures.js', import.meta.url));
  const figures = JSON.parse(await runChild(file, placement)) as { missUs: number; opensslUs: number }[];
  return figures.map(({ missUs, opensslUs }, proofs) =>
    ratioRow({ name: `new token, ${proofs} proofs`, figure: `${missUs.toFixed(0)} µs` }, missUs / opensslUs, goal),
  );
}
