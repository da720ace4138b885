import { expect, it } from 'vitest';
import { readConfig } from './config.js';

const published = { oracle: 'http://127.0.0.1:3001', gateway: 'http://127.0.0.1:3002' };

it('listens on 127.0.0.1:9090 by default', () => {
  expect(readConfig({})).toEqual({ host: '127.0.0.1', port: 9090, published });
  expect(readConfig({ HOST: '', MOCK_NODE_PORT: '' })).toEqual({ host: '127.0.0.1', port: 9090, published });
  expect(readConfig({ HOST: '::1', MOCK_NODE_PORT: '0' })).toEqual({ host: '::1', port: 0, published });
});

it.each(['x', '-1', '65536', '1e3', ' 1'])('%j is no port, and the message names the variable', (port) => {
  expect(() => readConfig({ MOCK_NODE_PORT: port })).toThrow('MOCK_NODE_PORT');
});

it('publishes the given addresses, without a slash at their end', () => {
  const env = { MOCK_NODE_ORACLE_URL: 'https://oracle.example/', MOCK_NODE_GATEWAY_URL: 'http://127.0.0.1:4002' };
  expect(readConfig(env).published).toEqual({ oracle: 'https://oracle.example', gateway: 'http://127.0.0.1:4002' });
});

it.each(['MOCK_NODE_ORACLE_URL', 'MOCK_NODE_GATEWAY_URL'])('%s must be a web address', (name) => {
  expect(() => readConfig({ [name]: '127.0.0.1:3001' })).toThrow(name);
});
