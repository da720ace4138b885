import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import type { CpuSubject } from './cpu-timing.js';
import { ORACLE } from './ucan-tokens.js';

/** About what a UCAN's signature covers. */
const payloadBytes = 330;

/** Each round has a service of its own, so that no verdict is remembered; it knows the issuers' keys after the first. */
export function misses(tokens: readonly string[]): CpuSubject {
  const run = async () => {
    const auth = createUcanAuth({ audiences: [ORACLE] });
    for (const token of tokens) if (!(await auth.invocation(token)).ok) throw new Error('a good token was refused');
  };
  return { count: tokens.length, run };
}

/** What OpenSSL takes for tokens of so many signatures, and nothing else. */
export function opensslAlone(tokens: number, signatures: number): { verify: CpuSubject; sign: CpuSubject } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const payload = randomBytes(payloadBytes);
  const signature = sign(null, payload, privateKey);
  const repeated = (work: () => unknown): CpuSubject => ({
    count: tokens,
    run: async () => {
      for (let index = 0; index < tokens * signatures; index++) work();
    },
  });
  return {
    verify: repeated(() => verify(null, payload, publicKey, signature)),
    sign: repeated(() => sign(null, payload, privateKey)),
  };
}
