import { expect, it } from 'vitest';
import { readConfig } from './config.js';

it('listens on 127.0.0.1:9090 unless told otherwise', () => {
  expect(readConfig({})).toEqual({ host: '127.0.0.1', port: 9090 });
  expect(readConfig({ HOST: '', MOCK_NODE_PORT: '' })).toEqual({ host: '127.0.0.1', port: 9090 });
  expect(readConfig({ HOST: '::1', MOCK_NODE_PORT: '0' })).toEqual({ host: '::1', port: 0 });
});

it.each(['x', '-1', '65536', '1e3', ' 1'])('%j is no port, and the message names the variable', (port) => {
  expect(() => readConfig({ MOCK_NODE_PORT: port })).toThrow('MOCK_NODE_PORT');
});
