import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ChainReader } from '../../engine/declarations.js';

/** Content of the chain in this suite, by path. */
export const chainReplies = {
  '/proto/entity/did%3Aixo%3Aentity%3Ae0001': { entity: { id: 'did:ixo:entity:e0001', type: 'oracle' } },
  '/proto/entity/a%2Fb': { entity: { id: 'a/b', type: 'dao' } },
} as const;

const answer = z.object({ entity: z.object({ type: z.string() }) }).transform(({ entity }) => entity.type);

/** Guarantees of every chain reader, on a chain with `chainReplies`. */
export function chainReaderContract(open: () => ChainReader): void {
  const typeOf = (...path: string[]) => open().read({ path: ['proto', 'entity', ...path], answer });

  it('returns the requested fields, and no others of the reply', async () => {
    expect(await typeOf('did:ixo:entity:e0001')).toBe('oracle');
  });

  it('returns undefined for a missing entry', async () => {
    expect(await typeOf('did:ixo:entity:nope')).toBeUndefined();
  });

  it('keeps typed text one segment', async () => {
    expect(await typeOf('a/b')).toBe('dao');
    for (const typed of ['', '.', '..', 'a', '\ud800']) expect(await typeOf(typed)).toBeUndefined();
  });

  it('refuses an answer of another shape', async () => {
    const question = { path: ['proto', 'entity', 'a/b'], answer: z.object({ claim: z.string() }) };
    await expect(open().read(question)).rejects.toMatchObject({ code: 'internal' });
  });
}
