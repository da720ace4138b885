import { describe, expect, it } from 'vitest';
import { decodedIn, readable } from './decoded.js';

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

describe('base64 in an answer', () => {
  it('is decoded if it is a text, with its place', () => {
    const next = base64('did:ixo:entity:e0020');
    expect(decodedIn({ claims: [{ id: 'bafkrei' }], pagination: { next_key: next } })).toEqual([
      { path: 'pagination.next_key', text: 'did:ixo:entity:e0020' },
    ]);
  });

  it('is formatted if it is JSON, also in a data address', () => {
    expect(readable(`data:application/json;base64,${base64('{"amount":"100"}')}`)).toBe('{\n  "amount": "100"\n}');
    expect(readable(base64('Ufunguo wa nyumba: 漢'))).toBe('Ufunguo wa nyumba: 漢');
  });

  it.each([
    ['bytes', btoa('\xff\x00\xaa\x55\x11\x22\x33\x44\x55\x66\x77\xfe')],
    ['a word', 'approved'],
    ['an id', 'did:ixo:entity:e0001'],
    ['a hash', '029cfedbde71cb804b5d0ccc3574a0aff8682f56b06959e2c3d74b7205c1fd8d'],
    ['a control character', base64('a text with a bell \u0007 in it')],
    ['nothing', ''],
  ])('is not detected in %s', (_, text) => {
    expect(readable(text)).toBeUndefined();
  });

  it('takes bounded work', () => {
    const many = Array.from({ length: 1000 }, () => base64('a text that is long enough'));
    expect(decodedIn(many)).toHaveLength(50);
    expect(readable(btoa('a'.repeat(300_000)))).toBeUndefined();
  });
});
