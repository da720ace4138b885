import { describe, expect, it } from 'vitest';
import { formsOf, viewOfId } from './forms-of.js';

const address = 'ixo10g36puhd08q2v76mpw82rtu079zy0nnw2p633e';
const contract = 'ixo18aeq02t9xu0t3d3pa8d42nkqzq8wuf469ppe2uztgnf03x6egclsrgp8lr';
const operator = 'ixovaloper14962z54tatm2trjxwqvd7ynysragl4e6te5he2';
const hash = '40B3F6F4B7BB025FB83A4658F99861EC6D4A3E8CE7CB757377687A7E00034405';
const cid = 'bafkreia2cpcyr4fk5tl3swxkmdlbl37z5nwe6bn2ychlhgirzappugeq34';

describe('kinds of object for a text', () => {
  it.each([
    ['did:ixo:entity:e0001', ['entities/did:ixo:entity:e0001']],
    ['did:x:z6MkgXKT7', ['documents/did:x:z6MkgXKT7']],
    ['did:ixo:entity:e0001#fee', ['entities/did:ixo:entity:e0001']],
    [` "${address}" `, [`accounts/${address}`]],
    [contract, [`accounts/${contract}`, `accounts/${contract}`]],
    [operator, [`validators/${operator}`]],
    [`0x${hash.toLowerCase()}`, [`transactions/${hash}`]],
    ['f36afe45ee8846ba217f549601db143e', ['tokens/f36afe45ee8846ba217f549601db143e']],
    [`ipfs://${cid}`, [`claims/${cid}`, `disputes/${cid}`]],
    ['7', ['collections/7', 'blocks/7']],
    ['15,226,800', ['collections/15226800', 'blocks/15226800']],
    ['my-claim/1', ['claims/my-claim/1', 'entities/my-claim/1', 'tokens/my-claim/1']],
    ['', []],
    ['two words', []],
    ['x'.repeat(201), []],
  ])('%s', (text, views) => {
    expect(formsOf(text).map(({ to }) => to.join('/'))).toEqual(views);
  });

  it('escapes the text in the path', () => {
    expect(formsOf('a/../b?c')[0]?.path).toBe('/proto/claims/claim/a%2F..%2Fb%3Fc');
  });
});

describe('an id within an answer', () => {
  it('is a link to its view if its form is unambiguous', () => {
    expect(viewOfId(address)).toEqual(['accounts', address]);
    expect(viewOfId('did:ixo:entity:e0001')).toEqual(['entities', 'did:ixo:entity:e0001']);
    for (const other of [cid, hash, '7', 'approved', 'did:ixo:entity:e0001#fee'])
      expect(viewOfId(other)).toBeUndefined();
  });
});
