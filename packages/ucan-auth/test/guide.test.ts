import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { decodeToken } from '../src/decode/decode-token.js';
import { mintInvocation, signerFromSeed } from '../src/mint/minting.js';
import { verifyByUcanto } from './ucanto-alone.js';
import { EXAMPLE, workedExample } from './worked-example.js';

const guide = new URL('../../../docs/guides/ucan-tokens.md', import.meta.url);
const example = workedExample();
const token = example['token'] ?? '';
/** The result of a step in the guide: a fenced block after a comment with its name. */
const BLOCK = /(<!-- example: (\w+) -->\n```[a-z]*\n)([\s\S]*?)(\n```)/g;

describe('the worked example of the guide', () => {
  it('is the result of its steps', () => {
    if (process.env['UPDATE_VECTORS'] !== undefined) {
      const text = readFileSync(guide, 'utf8');
      writeFileSync(
        guide,
        text.replace(BLOCK, (_, start: string, name: string, __, end: string) => `${start}${example[name]}${end}`),
      );
    }
    const blocks = [...readFileSync(guide, 'utf8').matchAll(BLOCK)].map(([, , name, text]) => [name, text]);
    expect(blocks).toEqual(Object.entries(example));
  });

  it('equals the minted token byte for byte', async () => {
    const { seed, audience, capability, expiresAt, nonce } = EXAMPLE;
    const minted = await mintInvocation({ signer: signerFromSeed(seed), audience, capability, expiresAt, nonce });
    expect(token).toBe(minted);
    const decoding = decodeToken(minted);
    expect(example['cid']).toContain(decoding.ok && decoding.token.root.cid.toString());
  });

  it('is accepted by this package and by ucanto', async () => {
    const auth = createUcanAuth({ audiences: [EXAMPLE.audience], now: () => EXAMPLE.expiresAt - 300 });
    expect(await auth.invocation(token)).toMatchObject({
      ok: true,
      result: { issuer: signerFromSeed(EXAMPLE.seed).did },
    });
    expect(await verifyByUcanto(token)).toBe('accepts');
  });
});
