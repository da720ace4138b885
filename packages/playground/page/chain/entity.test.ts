import { describe, expect, it } from 'vitest';
import { whereOf } from './entity.js';

const services = [
  { id: 'did:x:1#storage', type: 'Ipfs', serviceEndpoint: 'https://storage.example/ipfs/' },
  { id: 'did:x:1#mine', type: 'Files', serviceEndpoint: 'http://127.0.0.1:3001' },
];

describe('the place of a part of a document', () => {
  it('is the document itself for data', () => {
    const endpoint = `data:application/json;base64,${btoa('{"denom":"uixo"}')}`;
    expect(whereOf(endpoint, services)).toEqual({ kind: 'here', text: '{\n  "denom": "uixo"\n}' });
  });

  it('is resolved with the services of the document', () => {
    const href = 'https://storage.example/ipfs/bafkrei1';
    expect(whereOf('did:x:1#storage/bafkrei1', services)).toEqual({ kind: 'link', href });
    const text = 'http://127.0.0.1:3001/a';
    expect(whereOf('did:x:1#mine/a', services)).toEqual({ kind: 'text', text });
    expect(whereOf('did:x:1#none/a', services)).toEqual({ kind: 'text', text: 'did:x:1#none/a' });
  });

  it.each([
    'http://a.example/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://printer/x',
    'https://a.local/x',
    'https://user:key@a.example/x',
    'https://2130706433/',
    'https://0x7f.1/',
    'javascript:alert(1)',
    'data:text/html,<b>',
    'ipfs:bafkrei1',
    'wss://a.example',
    '//a.example',
    '',
  ])('is no link at %s', (endpoint) => {
    expect(whereOf(endpoint, services).kind).toBe('text');
  });

  it('is truncated if it is long', () => {
    expect(whereOf('x'.repeat(5000), services)).toEqual({ kind: 'text', text: 'x'.repeat(200) });
  });
});
