import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signerFromSeed } from '../packages/ucan-auth/src/mint/minting.js';
import { readConfig as readOracle } from '../services/oracle-api/src/config.js';
import { readConfig as readProto } from '../services/proto-gateway/src/config.js';
import { readConfig as readUssd } from '../services/ussd-gateway/src/config.js';
import { podEnvironment } from './k8s/pod-environment.fixture.js';
import { canRender, overlays, render } from './k8s/render.fixture.js';

type Source = Readonly<Record<string, string | undefined>>;

const readers: Readonly<Record<string, (source: Source) => object>> = {
  'ussd-gateway': readUssd,
  'oracle-api': readOracle,
  'proto-gateway': readProto,
};
const seed = randomBytes(32).toString('hex');
const key = () => randomBytes(32).toString('hex');
const secrets = {
  'database-url': 'postgres://user:secret@postgres:5432/database',
  'redis-url': 'redis://:secret@redis:6379/0',
  'pin-encryption-key': key(),
  'operator-token': key(),
  'metrics-token': key(),
  'signing-seed': seed,
  'seal-keys': key(),
  did: signerFromSeed(seed).keyDid,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mlango-k8s-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!canRender).each(overlays)('the settings of deploy/k8s/%s', (overlay) => {
  const manifests = canRender ? render(overlay) : [];

  it.each(Object.entries(readers))('start %s, and contain only variables that it reads', (name, read) => {
    const env = podEnvironment(manifests, { kind: 'Deployment', name }, { folder, secrets });
    const asked = new Set<string>();
    const source = new Proxy(env, {
      get: (target, variable: string) => {
        asked.add(variable);
        return target[variable];
      },
    });
    expect(() => read(source)).not.toThrow();
    expect(Object.keys(env).filter((variable) => !asked.has(variable))).toEqual([]);
  });

  it.each(['ussd-gateway', 'oracle-api'])('start the job of %s like its pods', (name) => {
    const job = podEnvironment(manifests, { kind: 'Job', name: `${name}-migration` }, { folder, secrets });
    const pods = podEnvironment(manifests, { kind: 'Deployment', name }, { folder, secrets });
    expect(pods).toMatchObject(job);
    expect(() => readers[name]?.(job)).not.toThrow();
  });
});
