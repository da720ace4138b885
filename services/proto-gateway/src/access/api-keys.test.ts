import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiKeyEntry, findApiKey, parseApiKeys } from './api-keys.js';

const wallet = apiKeyEntry('wallet', 'one');
const indexer = apiKeyEntry('indexer', 'two');

function keysOf(text: string) {
  const parsed = parseApiKeys(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.keys;
}

describe('API keys', () => {
  it('are found by their hash only', () => {
    const keys = keysOf(`${wallet},${indexer}`);
    expect(findApiKey(keys, 'one')?.name).toBe('wallet');
    expect(findApiKey(keys, 'two')?.name).toBe('indexer');
    for (const shown of ['', 'One', 'three', wallet, wallet.split(':')[1] ?? '']) {
      expect(findApiKey(keys, shown)).toBeUndefined();
    }
  });

  it('are listed with commas, or one a line with comments, as a file has them', () => {
    const names = (text: string) => keysOf(text).map((key) => key.name);
    expect(names(`${wallet}, ${indexer.toUpperCase().replace('INDEXER', 'indexer')}`)).toEqual(['wallet', 'indexer']);
    expect(names(`# the app, since May\n${wallet}\n\n${indexer}\n`)).toEqual(['wallet', 'indexer']);
    expect(names('')).toEqual([]);
  });

  it.each([
    ['a key that is not hashed', 'wallet:secret-key', 'entry 1 is not name:sha256hex'],
    ['an entry without a name', wallet.split(':')[1] ?? '', 'entry 1 is not name:sha256hex'],
    ['a name twice', `${wallet},${apiKeyEntry('wallet', 'x')}`, 'entry 2 repeats a name or a key'],
    ['a key twice', `${wallet},${apiKeyEntry('other', 'one')}`, 'entry 2 repeats a name or a key'],
  ])('are refused with %s, in words that do not repeat it', (_, text, problem) => {
    expect(parseApiKeys(text)).toEqual({ problem });
  });

  it('are made by a command: the key for its holder, the entry for the gateway', () => {
    const command = fileURLToPath(new URL('../../dist/cli/new-api-key.js', import.meta.url));
    const run = (name: string) => execFileSync(process.execPath, [command, name], { encoding: 'utf8', stdio: 'pipe' });
    const made: { key: string; entry: string } = JSON.parse(run('wallet'));
    expect(made.entry).toBe(apiKeyEntry('wallet', made.key));
    expect(Buffer.from(made.key, 'base64url')).toHaveLength(32);
    expect(() => run('no good name')).toThrow(/usage/);
  });
});
