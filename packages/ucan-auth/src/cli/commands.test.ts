import { describe, expect, it } from 'vitest';
import { ORACLE } from '../../test/forge.js';
import { createUcanAuth } from '../auth.js';
import { memoryRevocationStore } from '../stores/memory-stores.js';
import { runCommand as runWithInput, UsageError } from './commands.js';

const outcomeOf = (args: readonly string[], input = '') => runWithInput(args, async () => input);
const runCommand = async (args: readonly string[], input = '') => (await outcomeOf(args, input)).text;

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
      result: { issuer: (await newKey('--seed', seed)).did },
    });
  });

  it('makes an invocation on a proof', async () => {
    const { did } = await newKey('--mnemonic', 'one two three');
    const proof = await runCommand(['delegate', '--audience', did, '--seed', seed]);
    const token = await runCommand(['invoke', '--audience', ORACLE, '--mnemonic', 'one two three', '--proof', proof]);
    expect(await auth.invocation(token)).toMatchObject({ ok: true, result: { issuer: did } });
  });

  it('makes a delegation of several capabilities', async () => {
    const args = ['--capability', 'store/add@ixo:box', '--capability', 'mail/*@ixo:mail', '--lifetime', '60'];
    const token = await runCommand(['delegate', '--audience', ORACLE, '--seed', seed, ...args]);
    const capabilities = [
      { can: 'store/add', with: 'ixo:box' },
      { can: 'mail/*', with: 'ixo:mail' },
    ];
    expect(await auth.delegation(token)).toMatchObject({ ok: true, result: { capabilities } });
  });

  it.each([
    [[]],
    [['fly']],
    [['invoke', '--seed', seed]],
    [['invoke', '--audience', ORACLE]],
    [['invoke', '--audience', ORACLE, '--seed', seed, '--capability', 'everything']],
    [['key', '--unknown']],
    [['inspect']],
    [['revoke', '--audience', ORACLE, '--seed', seed]],
  ])('prints the usage error at %j', async (args) => {
    await expect(runCommand(args)).rejects.toThrow(UsageError);
  });

  it('prints the usage for help', async () => {
    for (const option of ['help', '--help', '-h'])
      expect(await runCommand([option])).toContain('ucan invoke --audience');
  });

  it.each([
    [['--audience', 'me', '--seed', seed], '--audience is not a DID: me'],
    [['--audience', ORACLE, '--seed', seed, '--lifetime', 'soon'], '--lifetime is a number of seconds; got soon'],
    [['--audience', ORACLE, '--seed', seed, '--lifetime', '0'], '--lifetime is a number of seconds; got 0'],
    [['--audience', ORACLE], 'ucan key makes a new seed'],
  ])('names the error in %j', async (options, text) => {
    await expect(runCommand(['invoke', ...options])).rejects.toThrow(text);
  });

  it('mints a revocation that a service stores, after which the token is refused', async () => {
    const service = createUcanAuth({ audiences: [ORACLE], revocations: memoryRevocationStore() });
    const own = ['--audience', ORACLE, '--seed', seed];
    const token = await runCommand(['invoke', ...own]);
    expect((await service.invocation(token)).ok).toBe(true);
    expect((await service.revoke(await runCommand(['revoke', '-', ...own], `${token}\n`))).ok).toBe(true);
    expect(await service.invocation(token)).toEqual({ ok: false, code: 'revoked' });
  });

  it('inspects an accepted token', async () => {
    const proof = await runCommand(['delegate', '--audience', ORACLE, '--seed', seed]);
    const { did } = await newKey('--seed', seed);
    const text = await runCommand(['inspect', proof]);
    expect(text).toContain(`from ${did}`);
    expect(text).toContain('may  do anything (*) on ixo:oracle');
    expect(text).toMatch(/good until \d{4}-\d\d-\d\dT[\d:]+Z \(60\d{4} s left\)/);
    expect(text).toContain('as an invocation of ixo:oracle: refused (ttl_too_long): it expires too far ahead');
    expect(text).toContain(`as a delegation: accepted, from ${did}`);
  });

  it('inspects the proofs of a token and the reason of a refusal', async () => {
    const { did } = await newKey('--mnemonic', 'one two three');
    const granted = ['--capability', 'store/*@ixo:box'];
    const proof = await runCommand(['delegate', '--audience', did, '--seed', seed, ...granted]);
    const text = await runCommand([
      'inspect',
      '--audience',
      'did:ixo:other',
      await runCommand(['invoke', '--audience', ORACLE, '--mnemonic', 'one two three', '--proof', proof]),
    ]);
    expect(text).toContain('2 UCANs, 1 of them as proofs');
    expect(text).toContain('    may  do anything of store/* on ixo:box');
    expect(text).toContain('refused (wrong_audience): it is addressed to another service');
  });

  it('escapes control characters', async () => {
    const text = await runCommand(['invoke', '--audience', ORACLE, '--seed', seed, '--capability', '*@ixo:\u001b[2J']);
    expect(await runCommand(['inspect', text])).toContain('ixo:\\u{1b}[2J');
  });

  it('exits 1 if a token is accepted neither as an invocation nor as a delegation', async () => {
    const own = ['--audience', ORACLE, '--seed', seed];
    const token = await runCommand(['invoke', ...own]);
    const ofDays = await runCommand(['delegate', ...own]);
    const codeOf = async (...args: string[]) => (await outcomeOf(['inspect', ...args])).exitCode;
    expect([await codeOf(token), await codeOf(ofDays)]).toEqual([0, 0]);
    expect([await codeOf(token, '--audience', 'did:ixo:other'), await codeOf('bm8=')]).toEqual([1, 1]);
    expect((await outcomeOf(['key'])).exitCode).toBe(0);
  });

  it('inspects text that is not a token', async () => {
    expect(await runCommand(['inspect', 'bm8='])).toContain('refused (malformed)');
  });
});
