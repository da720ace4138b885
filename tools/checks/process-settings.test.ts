import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signerFromSeed } from '../../packages/ucan-auth/src/mint/minting.js';
import { readConfig as readOracle } from '../../services/oracle-api/src/config.js';
import { readConfig as readGateway } from '../../services/proto-gateway/src/config.js';
import { readConfig as readUssd } from '../../services/ussd-gateway/src/config.js';
import { repositoryRoot } from './project-files.mjs';

const page = readFileSync(join(repositoryRoot, 'docs/operations/processes.md'), 'utf8');
const secrets = mkdtempSync(join(tmpdir(), 'process-settings-'));
afterAll(() => rmSync(secrets, { recursive: true, force: true }));

/** As `openssl rand -hex 32` makes one. */
const randomHex = () => randomBytes(32).toString('hex');
const seed = randomHex();
const contents: Readonly<Record<string, string>> = {
  'ussd-database-url': 'postgres://ussd:secret@127.0.0.1:5432/ussd',
  'oracle-database-url': 'postgres://oracle:secret@127.0.0.1:5432/oracle',
  'ussd-redis-url': 'redis://mlango-ussd:secret@127.0.0.1:6379',
  'oracle-redis-url': 'redis://mlango-oracle:secret@127.0.0.1:6379',
  'proto-redis-url': 'redis://mlango-gateway:secret@127.0.0.1:6379',
  'oracle-signing-seed': seed,
  'oracle-did': signerFromSeed(seed).did,
};

/** The settings of a service on the page, with its files of secrets in a folder of this test. */
function settingsOf(service: string): Record<string, string> {
  const [, block = ''] = new RegExp(`/etc/mlango/${service}\\.env[^]*?\`\`\`env\\n([^]*?)\`\`\``).exec(page) ?? [];
  return Object.fromEntries(
    block.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name === '') return [];
      if (!name.endsWith('_FILE')) return [[name, value]];
      const file = join(secrets, basename(value));
      writeFileSync(file, contents[basename(value)] ?? randomHex());
      return [[name, file]];
    }),
  );
}

describe('docs/operations/processes.md', () => {
  it.each([
    ['ussd-gateway', readUssd],
    ['oracle-api', readOracle],
    ['proto-gateway', readGateway],
  ] as const)('has settings that %s accepts in production, with a port', (service, readConfig) => {
    const settings = settingsOf(service);
    expect(settings['NODE_ENV']).toBe('production');
    expect(() => readConfig({ ...settings, PORT: '3010', HOST: '127.0.0.1' })).not.toThrow();
  });

  it.each(['ussd-gateway', 'oracle-api'])('has no setting that %s could do without its database', (service) => {
    const { DATABASE_URL_FILE: _, ...without } = settingsOf(service);
    expect(() => (service === 'oracle-api' ? readOracle : readUssd)(without)).toThrow('DATABASE_URL');
  });
});
