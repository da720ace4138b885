import { runChild } from '../process.js';
import { benchFile } from '../services.js';
import type { TokenFigures } from '../token-cpu.js';
import { counted, type RowGroup, ratioLine } from './row.js';

const goal = 2.3;

/** Validation of new tokens compared with the bare signatures of OpenSSL, and stock ucanto as a peer, in a process of its own. */
export const tokenRows: RowGroup = {
  names: ['token'],
  open: async ({ placementOf }) => ({
    rows: {
      token: {
        measure: async () => {
          const output = await runChild(benchFile('token-cpu.js'), placementOf('token'));
          return (JSON.parse(output) as TokenFigures[]).flatMap(({ proofs, newUs, opensslUs, ucantoUs }) => [
            ratioLine(`new token, ${proofs} proofs`, `${newUs.toFixed(0)} µs`, counted(newUs / opensslUs), goal),
            {
              name: `new token, ${proofs} proofs, stock ucanto`,
              figure: `${ucantoUs.toFixed(0)} µs`,
              ratio: ucantoUs / opensslUs,
              isSettled: true,
            },
          ]);
        },
      },
    },
    close: async () => undefined,
  }),
};
