/** Token validation and minting beside OpenSSL's bare signatures and beside ucanto alone, in one run, as ratios. */
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintInvocation } from '@mlango/ucan-auth/minting';
import { type CpuSubject, measureCpu } from './cpu-timing.js';
import { printTable } from './print-table.js';
import { misses, opensslAlone } from './token-misses.js';
import { stockJudge, stockMint } from './ucan-stock.js';
import { ORACLE, signerOf, tokensWith } from './ucan-tokens.js';

const TOKENS = 600;
const STOCK_TOKENS = 20;
const HITS = 20_000;

const judge = await stockJudge();

function repeated(count: number, work: (index: number) => Promise<unknown>): CpuSubject {
  const run = async () => {
    for (let index = 0; index < count; index++) await work(index);
  };
  return { count, run };
}

function hits(token: string): CpuSubject {
  const auth = createUcanAuth({ audiences: [ORACLE] });
  return repeated(HITS, async () => {
    if (!(await auth.invocation(token)).ok) throw new Error('a good token was refused');
  });
}

const head = ['validation', 'OpenSSL µs', 'µs', 'ratio', 'a second', 'hit µs', 'ucanto alone µs'];
const rows: string[][] = [];
for (const proofs of [0, 1, 2, 3]) {
  const tokens = await tokensWith(proofs, TOKENS);
  const best = await measureCpu({
    openssl: opensslAlone(TOKENS, proofs + 1).verify,
    miss: misses(tokens),
    hit: hits(tokens[0] ?? ''),
    stock: repeated(STOCK_TOKENS, (index) => judge(tokens[index] ?? '')),
  });
  rows.push([
    `${proofs} proofs`,
    best.openssl.toFixed(0),
    best.miss.toFixed(0),
    (best.miss / best.openssl).toFixed(2),
    (1e6 / best.miss).toFixed(0),
    best.hit.toFixed(2),
    best.stock.toFixed(0),
  ]);
}

const signer = signerOf(0);
const mintStock = await stockMint('did:ixo:oracle');
const minting = await measureCpu({
  openssl: opensslAlone(TOKENS, 1).sign,
  mint: repeated(TOKENS, () => mintInvocation({ signer, audience: ORACLE })),
  stock: repeated(STOCK_TOKENS, mintStock),
});
rows.push([
  'minting an invocation',
  minting.openssl.toFixed(0),
  minting.mint.toFixed(0),
  (minting.mint / minting.openssl).toFixed(2),
  (1e6 / minting.mint).toFixed(0),
  '',
  minting.stock.toFixed(0),
]);

printTable(head, rows);
