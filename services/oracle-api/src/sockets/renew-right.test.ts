import { createUcanAuth } from '@mlango/ucan-auth/auth';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { expect, it } from 'vitest';
import { credentialsOf, type Frame, type Member } from './member.js';
import { renewRight } from './rights.js';

const signer = signerFromSeed(Buffer.alloc(32, 'a'));
const audience = signerFromSeed(Buffer.alloc(32, 'o')).did;
const auth = createUcanAuth({ audiences: [audience] });
const requests = { take: async () => ({ ok: true }) as const };
const log = { info: () => undefined };

function socket(isThere = true) {
  const sent: Frame[] = [];
  const right = { expiresAtMs: 0, path: [] };
  const member: Member = {
    id: 'm',
    did: signer.did,
    sessionId: 's',
    address: 'a',
    credentials: ['first', 'beside'],
    joinedAtMs: 0,
    right,
    send: (frame) => sent.push(frame),
    close: () => undefined,
  };
  const rights = { renew: () => isThere, closesAtMs: () => 1_800_000_000_000 };
  const show = (shown: unknown) => renewRight(member, shown, { auth, requests, rights, now: () => new Date(0), log });
  return { member, sent, show };
}

it('a socket is identified by its first and last tokens, however often it renews', async () => {
  const { member, show } = socket();
  const shown: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const invocation = await mintInvocation({ signer, audience });
    shown.push(...credentialsOf(invocation));
    await show({ invocation });
    expect(member.credentials).toContain(shown.at(-1));
    expect(member.credentials.length).toBeLessThanOrEqual(8);
  }
  expect(member.credentials.slice(0, 2)).toEqual(['first', 'beside']);
});

it('a socket is not identified by a refused token', async () => {
  const { member, sent, show } = socket();
  const somebody = signerFromSeed(Buffer.alloc(32, 'b'));
  await show({ invocation: await mintInvocation({ signer: somebody, audience }) });
  await show({ invocation: 'AAAA' });
  expect(member.credentials).toEqual(['first', 'beside']);
  const [another, bad] = sent.map(({ data }) => data);
  expect(another).toEqual(bad);
});

it('a socket that closes during its token check gets no event', async () => {
  const { sent, show } = socket(false);
  await show({ invocation: await mintInvocation({ signer, audience }) });
  expect(sent).toEqual([]);
});
