import { describe, expect, it } from 'vitest';
import { linksInJson } from './json-view.js';

const print = (value: unknown) => JSON.stringify(value, null, 2);
const linksOf = (value: unknown, limit = 100) =>
  linksInJson(print(value), limit).flatMap(({ to }) => (to === undefined ? [] : [to.join('/')]));

describe('links in a printed answer', () => {
  it('are its ids, by their form and by their field names', () => {
    const value = {
      claim: { claim_id: 'bafkrei1', collection_id: '7', agent_did: 'did:x:z6Mk', reason: 'did it' },
      list: ['did:ixo:entity:e0001', 'other'],
      height: '2',
      'did:ixo:entity:e0009': 'a name is no value',
    };
    expect(linksOf(value)).toEqual([
      'claims/bafkrei1',
      'collections/7',
      'documents/did:x:z6Mk',
      'entities/did:ixo:entity:e0001',
      'blocks/2',
    ]);
  });

  it('do not change its text', () => {
    const value = { a: 'quoted "did:x:z1" \\', b: ['did:x:z2'], c: { height: '0' }, d: '' };
    const pieces = linksInJson(print(value), 100);
    expect(pieces.map(({ text }) => text).join('')).toBe(print(value));
    expect(pieces.filter(({ to }) => to !== undefined)).toEqual([{ text: 'did:x:z2', to: ['documents', 'did:x:z2'] }]);
  });

  it('are no more than the limit', () => {
    expect(
      linksOf(
        Array.from({ length: 10 }, (_, index) => `did:x:z${index}`),
        3,
      ),
    ).toHaveLength(3);
  });
});
