import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CRUISE = join(REPOSITORY, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = join(REPOSITORY, '.dependency-cruiser.cjs');

/** A small repository: the imports of each file, with `type` before type-only imports. */
const sources: Record<string, readonly string[]> = {
  'services/door/src/main.ts': ['./deps.js', '@mlango/kit/errors'],
  'services/door/src/deps.ts': ['./visits/memory-visit-store.js', './visits/visit.js'],
  'services/door/src/config.ts': [],
  'services/door/src/http/visits.ts': ['../visits/visit.js', 'fastify'],
  'services/door/src/visits/visit.ts': [],
  'services/door/src/visits/visit-store.ts': ['./visit.js'],
  'services/door/src/visits/memory-visit-store.ts': ['./visit-store.js', 'ioredis'],
  'services/door/src/visits/visit.test.ts': ['./memory-visit-store.js', 'fast-check'],
  'packages/kit/src/errors.ts': [],
  // Each file below breaks a rule.
  'services/door/src/app.ts': ['../../window/src/main.js'],
  'services/window/src/main.ts': [],
  'packages/kit/src/bad-service.ts': ['../../../services/window/src/main.js'],
  'packages/service-kit/src/bad-domain.ts': ['../../schemas/src/ussd/session.js'],
  'packages/schemas/src/ussd/session.ts': ['ioredis', 'zod'],
  'packages/schemas/src/common/errors.ts': [],
  'packages/async/src/retry.ts': ['node:timers/promises', 'zod'],
  'packages/crypto/src/sealing.ts': ['node:crypto', 'zod'],
  'packages/outbound/src/outbound.ts': ['node:net', 'undici', 'zod'],
  'packages/transcoder/src/transcoder.ts': ['node:fs', 'zod'],
  'packages/cosmos-rest/src/heights.ts': ['../../transcoder/src/transcoder.js', 'ioredis'],
  'packages/grpc-channel/src/channel.ts': ['node:net', 'zod'],
  'packages/grpc-channel/src/grpc-js/channel.ts': ['../channel.js', '@grpc/grpc-js'],
  'packages/grpc-channel/src/bad-door.ts': ['./grpc-js/channel.js'],
  'packages/ucan-auth/src/auth.ts': ['fastify', './decode/token.js'],
  'packages/ucan-auth/src/decode/token.ts': ['../dids/did-key.js', '../verify/chain.js'],
  'packages/transcoder/src/wire/cursor.ts': ['../bind/body.js'],
  'packages/transcoder/src/bind/body.ts': [],
  'packages/ucan-auth/src/dids/did-key.ts': [],
  'packages/ucan-auth/src/verify/chain.ts': [],
  'services/oracle-api/src/agent/turn.ts': ['../runs/lease.js'],
  'services/oracle-api/src/runs/lease.ts': [],
  'services/oracle-api/src/runs/bad-floor.ts': ['type ../agent/turn.js'],
  'packages/playground/page/main.ts': ['@mlango/service-kit/redis'],
  'services/door/src/visits/bad-library.ts': ['fastify'],
  'services/door/src/plugins/api/plugin.ts': [],
  'services/door/src/plugins/api/bad-api.ts': ['../host/host.js'],
  'services/door/src/plugins/host/host.ts': ['../api/plugin.js'],
  'services/door/src/plugins/bell/plugin.ts': ['../api/plugin.js', './ring.js'],
  'services/door/src/plugins/bell/ring.ts': [],
  'services/door/src/plugins/lock/plugin.ts': ['../bell/ring.js'],
  'services/door/src/visits/bad-plugin.ts': ['../plugins/bell/plugin.js'],
  'services/door/src/visits/bad-direction.ts': ['../config.js'],
  'services/door/src/visits/bad-route.ts': ['../http/visits.js'],
  'services/door/src/protocols/rpc/calls.ts': ['../../visits/visit.js', 'fastify'],
  'services/door/src/visits/bad-door.ts': ['../protocols/rpc/calls.js'],
  'services/door/src/visits/bad-adapter.ts': ['./memory-visit-store.js'],
  'services/door/src/visits/bad-process.ts': ['@mlango/service-kit/redis'],
  'packages/service-kit/src/redis.ts': ['ioredis'],
  'packages/parcel/src/parcel.ts': ['zod', 'fastify', '@mlango/kit/errors', 'node:path'],
  'packages/parcel/src/parcel.test.ts': ['fast-check', '@mlango/service-kit/redis'],
  'packages/parcel/src/bad-development.ts': ['fast-check'],
  'packages/parcel/src/bad-optional.ts': ['ioredis'],
  'packages/parcel/src/bad-neighbour.ts': ['@mlango/service-kit/redis'],
  'packages/parcel/src/bad-type.ts': ['type undici'],
  'packages/oracle-client/src/live-agent.ts': ['livekit-client', 'zod'],
  'packages/oracle-client/src/live-agent/bad-development.ts': ['fast-check'],
  'packages/oracle-client/src/client.ts': ['livekit-client'],
  'packages/oracle-client/src/bad-door.ts': ['./live-agent.js'],
  'services/door/src/visits/bad-test.ts': ['./visit.test.js'],
  'services/door/src/visits/bad-missing.ts': ['./nowhere.js'],
  'services/door/src/visits/bad-undeclared.ts': ['undeclared'],
  'services/door/src/visits/bad-ring-one.ts': ['./bad-ring-two.js'],
  'services/door/src/visits/bad-ring-two.ts': ['./bad-ring-one.js'],
};

const UNLISTED = 'production-imports-its-dependencies';

/** Manifests in which not every package may be imported by production code. */
const manifests: Record<string, object> = {
  'packages/parcel': {
    name: '@mlango/parcel',
    dependencies: { zod: '1.0.0', '@mlango/kit': '1.0.0' },
    peerDependencies: { fastify: '1.0.0', ioredis: '1.0.0' },
    peerDependenciesMeta: { ioredis: { optional: true } },
    devDependencies: { 'fast-check': '1.0.0', undici: '1.0.0', '@mlango/service-kit': '1.0.0' },
  },
  'packages/oracle-client': {
    name: '@mlango/oracle-client',
    dependencies: { zod: '1.0.0' },
    peerDependencies: { 'livekit-client': '1.0.0' },
    peerDependenciesMeta: { 'livekit-client': { optional: true } },
    devDependencies: { 'fast-check': '1.0.0' },
  },
};

/** Rule, breaking file, and its import. */
const expected = [
  ['services-are-apart', 'services/door/src/app.ts', 'services/window/src/main.ts'],
  ['no-internals-of-another-package', 'services/door/src/app.ts', 'services/window/src/main.ts'],
  ['packages-know-no-service', 'packages/kit/src/bad-service.ts', 'services/window/src/main.ts'],
  ['no-internals-of-another-package', 'packages/kit/src/bad-service.ts', 'services/window/src/main.ts'],
  ['service-kit-knows-no-domain', 'packages/service-kit/src/bad-domain.ts', 'packages/schemas/src/ussd/session.ts'],
  ['no-internals-of-another-package', 'packages/service-kit/src/bad-domain.ts', 'packages/schemas/src/ussd/session.ts'],
  ['schemas-depend-on-zod-only', 'packages/schemas/src/ussd/session.ts', 'node_modules/ioredis/index.js'],
  ['async-depends-on-nothing', 'packages/async/src/retry.ts', 'node_modules/zod/index.js'],
  ['crypto-depends-on-nothing', 'packages/crypto/src/sealing.ts', 'node_modules/zod/index.js'],
  ['outbound-depends-on-its-libraries-only', 'packages/outbound/src/outbound.ts', 'node_modules/zod/index.js'],
  ['transcoder-depends-on-protobuf-only', 'packages/transcoder/src/transcoder.ts', 'fs'],
  ['transcoder-depends-on-protobuf-only', 'packages/transcoder/src/transcoder.ts', 'node_modules/zod/index.js'],
  [
    'cosmos-rest-depends-on-the-transcoder-only',
    'packages/cosmos-rest/src/heights.ts',
    'node_modules/ioredis/index.js',
  ],
  ['no-internals-of-another-package', 'packages/cosmos-rest/src/heights.ts', 'packages/transcoder/src/transcoder.ts'],
  ['grpc-channel-depends-on-nothing', 'packages/grpc-channel/src/channel.ts', 'node_modules/zod/index.js'],
  ['transcoder-imports-down', 'packages/transcoder/src/wire/cursor.ts', 'packages/transcoder/src/bind/body.ts'],
  ['ucan-auth-fastify-on-a-subpath', 'packages/ucan-auth/src/auth.ts', 'node_modules/fastify/index.js'],
  ['ucan-auth-imports-down', 'packages/ucan-auth/src/decode/token.ts', 'packages/ucan-auth/src/verify/chain.ts'],
  ['oracle-imports-down', 'services/oracle-api/src/runs/bad-floor.ts', 'services/oracle-api/src/agent/turn.ts'],
  ['the-page-stands-on-the-public-client', 'packages/playground/page/main.ts', 'packages/service-kit/src/redis.ts'],
  ['plugins-are-apart', 'services/door/src/plugins/lock/plugin.ts', 'services/door/src/plugins/bell/ring.ts'],
  [
    'the-plugin-api-knows-no-host',
    'services/door/src/plugins/api/bad-api.ts',
    'services/door/src/plugins/host/host.ts',
  ],
  ['no-plugin-is-needed', 'services/door/src/visits/bad-plugin.ts', 'services/door/src/plugins/bell/plugin.ts'],
  ['domain-knows-no-edge-library', 'services/door/src/visits/bad-library.ts', 'node_modules/fastify/index.js'],
  ['domain-imports-inward', 'services/door/src/visits/bad-direction.ts', 'services/door/src/config.ts'],
  ['domain-imports-inward', 'services/door/src/visits/bad-route.ts', 'services/door/src/http/visits.ts'],
  ['domain-imports-inward', 'services/door/src/visits/bad-door.ts', 'services/door/src/protocols/rpc/calls.ts'],
  [
    'adapters-are-built-in-deps',
    'services/door/src/visits/bad-adapter.ts',
    'services/door/src/visits/memory-visit-store.ts',
  ],
  ['domain-knows-no-process', 'services/door/src/visits/bad-process.ts', 'packages/service-kit/src/redis.ts'],
  [UNLISTED, 'packages/kit/src/bad-service.ts', 'services/window/src/main.ts'],
  [UNLISTED, 'packages/service-kit/src/bad-domain.ts', 'packages/schemas/src/ussd/session.ts'],
  [UNLISTED, 'packages/parcel/src/bad-development.ts', 'node_modules/fast-check/index.js'],
  [UNLISTED, 'packages/parcel/src/bad-optional.ts', 'node_modules/ioredis/index.js'],
  [UNLISTED, 'packages/parcel/src/bad-neighbour.ts', 'packages/service-kit/src/redis.ts'],
  [UNLISTED, 'packages/parcel/src/bad-type.ts', 'node_modules/undici/index.js'],
  [UNLISTED, 'packages/oracle-client/src/live-agent/bad-development.ts', 'node_modules/fast-check/index.js'],
  [UNLISTED, 'packages/oracle-client/src/client.ts', 'node_modules/livekit-client/index.js'],
  ['optional-peer-on-a-subpath', 'packages/oracle-client/src/client.ts', 'node_modules/livekit-client/index.js'],
  ['optional-peer-on-a-subpath', 'packages/oracle-client/src/bad-door.ts', 'packages/oracle-client/src/live-agent.ts'],
  [
    'optional-peer-on-a-subpath',
    'packages/grpc-channel/src/bad-door.ts',
    'packages/grpc-channel/src/grpc-js/channel.ts',
  ],
  ['no-test-code-in-production', 'services/door/src/visits/bad-test.ts', 'services/door/src/visits/visit.test.ts'],
  ['no-unresolvable', 'services/door/src/visits/bad-missing.ts', './nowhere.js'],
  ['no-undeclared-dependency', 'services/door/src/visits/bad-undeclared.ts', 'node_modules/undeclared/index.js'],
  ['no-circular', 'services/door/src/visits/bad-ring-one.ts', 'services/door/src/visits/bad-ring-two.ts'],
] as const;

const libraries = ['fastify', 'ioredis', 'undici', 'zod', '@grpc/grpc-js'];
let house: string;
let found: string[];

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'mlango-walls-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), text);
  };
  for (const name of [...libraries, 'livekit-client', 'fast-check', 'undeclared']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, 'module.exports = {};');
  }
  for (const [name, subpath] of [
    ['kit', 'errors'],
    ['service-kit', 'redis'],
  ] as const) {
    const exports = { [`./${subpath}`]: { '@mlango/source': `./src/${subpath}.ts` } };
    write(
      `packages/${name}/package.json`,
      JSON.stringify({ name: `@mlango/${name}`, exports, dependencies: declared() }),
    );
    // As pnpm does it: a package of the workspace is a link to its folder.
    mkdirSync(join(house, 'node_modules/@mlango'), { recursive: true });
    symlinkSync(join(house, 'packages', name), join(house, 'node_modules/@mlango', name), 'junction');
  }
  write('package.json', JSON.stringify({ dependencies: declared(), devDependencies: { 'fast-check': '1.0.0' } }));
  for (const [folder, manifest] of Object.entries(manifests)) {
    write(`${folder}/package.json`, JSON.stringify(manifest));
  }
  for (const [file, imports] of Object.entries(sources)) write(file, imports.map(importLine).join('\n'));
  const run = spawnSync(
    process.execPath,
    [CRUISE, '--config', RULES, '--output-type', 'json', 'packages', 'services'],
    {
      cwd: house,
      encoding: 'utf8',
      maxBuffer: 32 * 1024 * 1024,
    },
  );
  const { summary } = JSON.parse(run.stdout) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[] };
  };
  found = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

describe('the dependency rules of the repository', () => {
  it.each(expected)('%s stops %s', (rule, from, to) => {
    expect(found).toContain(`${rule}: ${from} -> ${to}`);
  });

  it('allow all other imports', () => {
    expect([...found].sort()).toEqual(expected.map(([rule, from, to]) => `${rule}: ${from} -> ${to}`).sort());
  });

  it('have a bad example for each rule', async () => {
    const { default: rules } = (await import(RULES)) as { default: { forbidden: { name: string }[] } };
    const tried = new Set<string>(expected.map(([rule]) => rule));
    expect(rules.forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([
      'no-deprecated-builtin',
    ]);
  });
});

function importLine(imported: string, index: number): string {
  const [, type, specifier] = /^(type )?(.*)$/.exec(imported) ?? [];
  return type === undefined
    ? `import * as i${index} from '${specifier}';\nconsole.log(i${index});`
    : `import type * as i${index} from '${specifier}';\nexport type T${index} = typeof i${index};`;
}

function declared(): Record<string, string> {
  return Object.fromEntries([...libraries, '@mlango/kit', '@mlango/service-kit'].map((name) => [name, '1.0.0']));
}
