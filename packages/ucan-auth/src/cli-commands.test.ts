import { describe, expect, it } from 'vitest';
import { ORACLE } from '../test/forge.js';
import { createUcanAuth } from './auth.js';
import { runCommand, UsageError } from './cli-commands.js';

const seed = 'a1'.repeat(32);
const auth = createUcanAuth({ audiences: [ORACLE] });

async function newKey(...args: string[]): Promise<{ seed: string; did: string }> {
  return JSON.parse(await runCommand(['key', ...args]));
}

describe('ucan', () => {
  it('makes a new key each time, and names the key of a seed', async () => {
    const [one, other] = [await newKey(), await newKey()];
    expect(one.seed).not.toBe(other.seed);
    expect(await newKey('--seed', one.seed)).toEqual(one);
  });

  it('makes an invocation that is accepted', async () => {
    const token = await runCommand(['invoke', '--audience', ORACLE, '--seed', seed]);
    expect(await auth.invocation(token)).toMatchObject({
      ok: true,
      verdict: { issuer: (await newKey('--seed', seed)).did },
    });
  });

  it('makes an invocation on a proof', async () => {
    const { did } = await newKey('--mnemonic', 'one two three');
    const proof = await runCommand(['delegate', '--audience', did, '--seed', seed]);
    const token = await runCommand(['invoke', '--audience', ORACLE, '--mnemonic', 'one two three', '--proof', proof]);
    expect(await auth.invocation(token)).toMatchObject({ ok: true, verdict: { issuer: did } });
  });

  it('makes a delegation of several capabilities', async () => {
    const args = ['--capability', 'store/add@ixo:box', '--capability', 'mail/*@ixo:mail', '--lifetime', '60'];
    const token = await runCommand(['delegate', '--audience', ORACLE, '--seed', seed, ...args]);
    const capabilities = [
      { can: 'store/add', with: 'ixo:box' },
      { can: 'mail/*', with: 'ixo:mail' },
    ];
    expect(await auth.delegation(token)).toMatchObject({ ok: true, verdict: { capabilities } });
  });

  it.each([
    [[]],
    [['fly']],
    [['invoke', '--seed', seed]],
    [['invoke', '--audience', ORACLE]],
    [['invoke', '--audience', ORACLE, '--seed', seed, '--capability', 'everything']],
    [['key', '--unknown']],
  ])('explains itself at %j', async (args) => {
    await expect(runCommand(args)).rejects.toThrow(UsageError);
  });
});
