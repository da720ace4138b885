// Mints tokens and verifies them as a third-party service would: accepted by the intended audience, refused by another one, with
// a changed byte, after expiry, and after revocation.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { memoryRevocationStore } from '@mlango/ucan-auth/memory-revocation-store';
import { mintInvocation, mintRevocation, signerFromSeed } from '@mlango/ucan-auth/minting';

const [user, service, stranger] = await Promise.all(
  [1, 2, 3].map(() => signerFromSeed(randomBytes(32).toString('hex'))),
);
const revocations = memoryRevocationStore();
const now = () => Math.floor(Date.now() / 1000);
const judge = (audience, clock = now) => createUcanAuth({ audiences: [audience], revocations, now: clock });
const auth = judge(service.did);
const token = await mintInvocation({ signer: user, audience: service.did });

const accepted = await auth.invocation(token);
assert.equal(accepted.ok && accepted.result.issuer, user.did);

const bytes = Buffer.from(token, 'base64');
bytes[bytes.indexOf('oracle')] ^= 1;
assert.equal((await auth.invocation(bytes.toString('base64'))).ok, false);
assert.deepEqual(await judge(stranger.did).invocation(token), { ok: false, code: 'wrong_audience' });
assert.deepEqual(await judge(service.did, () => now() + 3600).invocation(token), { ok: false, code: 'expired' });

assert.equal((await auth.revoke(await mintRevocation({ signer: user, audience: service.did, token }))).ok, true);
assert.deepEqual(await auth.invocation(token), { ok: false, code: 'revoked' });
