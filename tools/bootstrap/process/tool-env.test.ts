import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolEnv, withoutNpmVariables } from './tool-env.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mlango-env-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('withoutNpmVariables', () => {
  it("removes npm's script variables and keeps the rest", () => {
    const added = {
      npm_config_cache: '/c',
      npm_config_yes: '',
      npm_lifecycle_event: 'start',
      npm_package_name: 'x',
      npm_execpath: '/n',
    };
    expect(withoutNpmVariables({ ...added, PORT: '1', NPM_TOKEN: 't' })).toEqual({ PORT: '1', NPM_TOKEN: 't' });
  });

  it('keeps the network settings', () => {
    const network = {
      npm_config_registry: 'https://packages.example.com/',
      npm_config_https_proxy: 'http://proxy',
      npm_config_noproxy: '',
    };
    expect(Object.keys(withoutNpmVariables(network))).toEqual(['npm_config_registry', 'npm_config_https_proxy']);
  });
});

describe('toolEnv', () => {
  it('puts the pinned pnpm first in PATH and switches telemetry off', () => {
    const env = toolEnv({ HOME: root, PATH: '/bin' }, root);
    expect(env['PATH']).toBe(
      [join(root, 'tools/pnpm/node_modules/.bin'), '/bin'].join(process.platform === 'win32' ? ';' : ':'),
    );
    expect(env).toMatchObject({ HOME: root, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' });
  });

  it('drops NODE_ENV, because pnpm would omit the compiler with it', () => {
    expect(toolEnv({ HOME: root, NODE_ENV: 'production' }, root)).not.toHaveProperty('NODE_ENV');
  });

  it.skipIf(process.platform === 'win32').each([undefined, '', '/does/not/exist', '/dev/null'])(
    'sets a separate home for %j',
    (home) => {
      const env = toolEnv(home === undefined ? {} : { HOME: home }, root);
      expect(env['HOME']).toBe(join(root, 'node_modules/.bootstrap/home'));
    },
  );
});
