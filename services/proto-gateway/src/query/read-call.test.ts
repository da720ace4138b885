import { builtInRegistry } from '@mlango/test-services/descriptors';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import { describe, expect, it } from 'vitest';
import { buildRouteTable } from '../catalog/routes.js';
import { readCall } from './read-call.js';

const registry = builtInRegistry();
const { transcoder } = buildRouteTable(registry, { prefixes: { current: 'proto', legacy: [] } });

function read(headers: HeaderPairs, rawQuery = '') {
  const rawPath = '/proto/token/params';
  const match = transcoder.match('GET', `${rawPath}?${rawQuery}`);
  if (match.kind !== 'found') throw new Error('no route');
  const request = { ...match, headers, body: new Uint8Array(), callerAddress: '192.0.2.1' };
  return readCall(request, { transcoder, defaultTimeoutMs: 1000 });
}

describe('call headers', () => {
  it.each([
    ['x-cosmos-block-height', 'X-Cosmos-Block-Height', '7'],
    ['Grpc-Timeout', 'grpc-timeout', '1S'],
  ])('must not be repeated: %s', (name, repeated, value) => {
    expect(read([[name, value]])).toHaveProperty('request');
    expect(
      read([
        [name, value],
        [repeated, value],
      ]),
    ).toEqual({
      violations: [{ field: name, description: 'is given more than once' }],
    });
  });

  it('may be the same height in the header and in the query', () => {
    expect(read([['x-cosmos-block-height', '7']], 'height=07')).toHaveProperty('request');
    expect(read([['x-cosmos-block-height', '7']], 'height=8')).toHaveProperty('violations.0.field', 'height');
  });
});
