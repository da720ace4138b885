import { expect, it } from 'vitest';
import { endpointsOf } from './find-oracle.js';

const service = (id: string, type: string, serviceEndpoint: string) => ({ id, type, serviceEndpoint });
const entity = (...services: ReturnType<typeof service>[]) => ({ id: 'did:x', services, resources: [], accounts: {} });

it.each([
  ['by id', entity(service('did:x#api', 'any', 'https://o.example'), service('did:x#ws', 'any', 'wss://s.example'))],
  [
    'by the id of a template',
    entity(service('{id}#api', '', 'https://o.example/'), service('{id}#ws', '', 'wss://s.example/')),
  ],
  ['by type', entity(service('a', 'oracleService', 'https://o.example'), service('b', 'wsService', 'wss://s.example'))],
])('finds API and sockets %s', (_, document) => {
  expect(endpointsOf(document)).toEqual({ apiUrl: 'https://o.example', socketUrl: 'wss://s.example' });
});

it('preserves the path of an API, and uses it for the sockets if no socket address is given', () => {
  const document = entity(service('#api', '', 'https://o.example/v1/?a=1'));
  expect(endpointsOf(document)).toEqual({ apiUrl: 'https://o.example/v1', socketUrl: 'https://o.example/v1' });
});

it.each(['', 'o.example', 'ftp://o.example', 'javascript:alert(1)'])('finds no API at %j', (url) => {
  expect(endpointsOf(entity(service('#api', 'oracleService', url)))).toBe(undefined);
});
