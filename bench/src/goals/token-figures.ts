/** Measures tokens that were not seen before, and prints as JSON what each took, by how many proofs it has. */
import { measureCpu } from '../cpu-timing.js';
import { misses, opensslAlone } from '../token-misses.js';
import { tokensWith } from '../ucan-tokens.js';

const tokens = 600;

const figures: { missUs: number; opensslUs: number }[] = [];
for (const proofs of [0, 1, 2, 3]) {
  const { miss, openssl } = await measureCpu({
    openssl: opensslAlone(tokens, proofs + 1).verify,
    miss: misses(await tokensWith(proofs, tokens)),
  });
  figures.push({ missUs: miss, opensslUs: openssl });
}
process.stdout.write(JSON.stringify(figures));
