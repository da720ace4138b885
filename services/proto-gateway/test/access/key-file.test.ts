import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followKeyFile, type KeyFile } from '../../src/access/key-file.js';
import { readConfig } from '../../src/config.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const patient = { timeout: 10_000, interval: 20 };
const fileOf = (...names: readonly string[]) =>
  JSON.stringify({ keys: names.map((name, at) => ({ name, sha256: String(at).repeat(64) })) });

let folder: string;
let path: string;
let file: KeyFile | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  path = join(folder, 'keys.json');
});
afterEach(() => {
  file?.close();
  rmSync(folder, { recursive: true, force: true });
});

const names = () => file?.current().map(({ name }) => name);

it('a file of keys is read again when it is written or replaced, and the last good one stays', async () => {
  writeFileSync(path, fileOf('a'));
  file = followKeyFile(path, logger, 20);
  expect(names()).toEqual(['a']);
  writeFileSync(path, fileOf('a', 'b'));
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']), patient);
  const error = vi.spyOn(logger, 'error');
  writeFileSync(path, '{"keys": [');
  await vi.waitFor(() => expect(error).toHaveBeenCalled(), patient);
  expect(names()).toEqual(['a', 'b']);
  writeFileSync(`${path}.new`, fileOf('c'));
  renameSync(`${path}.new`, path);
  await vi.waitFor(() => expect(names()).toEqual(['c']), patient);
});

it('a file of keys with heights in a plan is read again too', async () => {
  const planned = (heights: string) => JSON.stringify({ keys: [{ name: 'a', sha256: '0'.repeat(64), heights }] });
  writeFileSync(path, planned('1-99'));
  file = followKeyFile(path, logger, 20);
  writeFileSync(path, planned('1-100'));
  await vi.waitFor(() => expect(file?.current().map(({ plan }) => plan?.heights?.to)).toEqual([100n]), patient);
});

it('an invalid file, or in production one with weak keys, prevents the start', () => {
  const start = (env: Record<string, string> = {}) => {
    return () => readConfig({ GATEWAY_AUTH: 'api-key', GATEWAY_KEYS: path, ...env });
  };
  expect(start()).toThrow(/GATEWAY_KEYS.*there is no such file/);
  writeFileSync(path, '{}');
  expect(start()).toThrow(/GATEWAY_KEYS/);
  writeFileSync(path, fileOf('a'));
  expect(start()).not.toThrow();
  expect(start({ NODE_ENV: 'production' })).toThrow(/GATEWAY_KEYS/);
  expect(start({ GATEWAY_AUTH: 'none' })).toThrow(/GATEWAY_KEYS/);
});
