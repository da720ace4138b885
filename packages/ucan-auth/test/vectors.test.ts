import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { attacksByKind } from './all-attacks.js';
import { NOW, ORACLE } from './forge.js';
import { honestTokens } from './honest-tokens.js';

const SETTINGS = { now: NOW, audiences: [ORACLE], resources: ['ixo:oracle'], maxTtlSeconds: 900 };

interface Vectors {
  readonly now: number;
  readonly audiences: readonly string[];
  readonly resources: readonly string[];
  readonly maxTtlSeconds: number;
  readonly vectors: readonly {
    readonly kind: string;
    readonly name: string;
    readonly token: string;
    readonly expected: object;
  }[];
}

async function refused() {
  const kinds = Object.entries(await attacksByKind());
  return kinds.flatMap(([kind, attacks]) =>
    attacks.map(({ name, token, code }) => ({ kind, name, token, expected: { ok: false, code } })),
  );
}

/** The vectors in the file; with UPDATE_VECTORS, the file is first written anew from what the tests forge. */
function load(name: string, vectors: Vectors['vectors']): Vectors {
  const file = new URL(`../vectors/${name}.json`, import.meta.url);
  if (process.env['UPDATE_VECTORS'] !== undefined) {
    writeFileSync(file, `${JSON.stringify({ ...SETTINGS, vectors }, null, 2)}\n`);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

describe.each([
  ['refused', await refused()],
  ['accepted', await honestTokens()],
] as const)('vectors of %s tokens', (name, forged) => {
  const { vectors, now, audiences, resources, maxTtlSeconds } = load(name, forged);

  it('are those the tests forge', () => {
    expect(vectors).toEqual(forged);
  });

  it('give the verdicts they state', async () => {
    const auth = createUcanAuth({ audiences, resources, maxTtlSeconds, now: () => now });
    for (const { token, expected, name: title } of vectors) {
      expect(await auth.invocation(token), title).toMatchObject(expected);
    }
  });
});
