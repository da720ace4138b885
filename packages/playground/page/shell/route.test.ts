import { describe, expect, it } from 'vitest';
import { hrefOf, partsOf, queryOf } from './route.js';

describe('the route of the page', () => {
  it('survives ids with colons, slashes and percent signs', () => {
    for (const id of ['did:ixo:entity:e0001', 'ibc/27394FB0', '100%', 'a b']) {
      expect(partsOf(hrefOf('chain', 'entities', id))).toEqual(['chain', 'entities', id]);
    }
  });

  it('separates the options of a view from the view', () => {
    const hash = `${hrefOf('chain', 'claims', 'a?b')}?page=2&at=7`;
    expect(partsOf(hash)).toEqual(['chain', 'claims', 'a?b']);
    expect([...queryOf(hash)]).toEqual([
      ['page', '2'],
      ['at', '7'],
    ]);
    expect([...queryOf('#/chain')]).toEqual([]);
  });

  it('is empty for an empty hash, and keeps an invalid escape', () => {
    expect(partsOf('')).toEqual([]);
    expect(partsOf('#/')).toEqual([]);
    expect(partsOf('#/chain/%E0%A4')).toEqual(['chain', '%E0%A4']);
  });
});
