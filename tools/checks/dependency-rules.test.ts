import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYERS as layers } from './layers.cjs';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CRUISE = join(REPOSITORY, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = join(REPOSITORY, '.dependency-cruiser.cjs');

/** A small repository: the imports of each file, with `type` before type-only imports. */
const sources: Record<string, readonly string[]> = {
  'services/guests/src/main.ts': ['./deps.js', '@mlango/kit/errors'],
  'services/guests/src/deps.ts': ['./visits/memory-visit-store.js', './visits/visit.js'],
  'services/guests/src/config.ts': [],
  'services/guests/src/http/visits.ts': ['../visits/visit.js', 'fastify'],
  'services/guests/src/visits/visit.ts': [],
  'services/guests/src/visits/visit-store.ts': ['./visit.js'],
  'services/guests/src/visits/memory-visit-store.ts': ['./visit-store.js', 'ioredis'],
  'services/guests/src/visits/visit.test.ts': ['./memory-visit-store.js', 'fast-check'],
  'packages/kit/src/errors.ts': [],
  // Each file below breaks a rule.
  'services/guests/src/app.ts': ['../../orders/src/main.js'],
  'services/orders/src/main.ts': [],
  'packages/kit/src/bad-service.ts': ['../../../services/orders/src/main.js'],
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
  'packages/grpc-channel/src/bad-subpath.ts': ['./grpc-js/channel.js'],
  'packages/ucan-auth/src/auth.ts': ['fastify', './decode/token.js'],
  'packages/ucan-auth/src/decode/token.ts': ['../dids/did-key.js', '../verify/chain.js'],
  'packages/transcoder/src/wire/cursor.ts': ['../bind/body.js'],
  'packages/transcoder/src/bind/body.ts': [],
  'packages/ucan-auth/src/dids/did-key.ts': [],
  'packages/ucan-auth/src/verify/chain.ts': [],
  'services/oracle-api/src/agent/turn.ts': ['../runs/lease.js'],
  'services/oracle-api/src/runs/lease.ts': [],
  'services/oracle-api/src/runs/bad-layer.ts': ['type ../agent/turn.js'],
  'services/ussd-gateway/src/effects/bad-layer.ts': ['../http/aggregators.js'],
  'services/ussd-gateway/src/http/aggregators.ts': ['../session-scope.js'],
  'services/ussd-gateway/src/session-scope.ts': [],
  'services/proto-gateway/src/catalog/bad-layer.ts': ['type ../access/gate.js'],
  'services/proto-gateway/src/access/gate.ts': [],
  'packages/grpc-channel/src/http2/bad-layer.ts': ['../pool/node-pool.js'],
  'packages/grpc-channel/src/pool/node-pool.ts': [],
  'packages/service-kit/src/errors/bad-layer.ts': ['../redis.js'],
  'packages/ussd-workbench/src/wire/bad-layer.ts': ['../phone/handset.js'],
  'packages/ussd-workbench/src/phone/handset.ts': [],
  'packages/playground/page/main.ts': ['@mlango/service-kit/redis'],
  'services/guests/src/visits/bad-library.ts': ['fastify'],
  'services/guests/src/plugins/api/plugin.ts': [],
  'services/guests/src/plugins/api/bad-api.ts': ['../host/host.js'],
  'services/guests/src/plugins/host/host.ts': ['../api/plugin.js'],
  'services/guests/src/plugins/bell/plugin.ts': ['../api/plugin.js', './ring.js'],
  'services/guests/src/plugins/bell/ring.ts': [],
  'services/guests/src/plugins/lock/plugin.ts': ['../bell/ring.js'],
  'services/guests/src/visits/bad-plugin.ts': ['../plugins/bell/plugin.js'],
  'services/guests/src/visits/bad-direction.ts': ['../config.js'],
  'services/guests/src/visits/bad-route.ts': ['../http/visits.js'],
  'services/guests/src/protocols/rpc/calls.ts': ['../../visits/visit.js', 'fastify'],
  'services/guests/src/visits/bad-protocol.ts': ['../protocols/rpc/calls.js'],
  'services/guests/src/visits/bad-adapter.ts': ['./memory-visit-store.js'],
  'services/guests/src/visits/bad-process.ts': ['@mlango/service-kit/redis'],
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
  'packages/oracle-client/src/bad-subpath.ts': ['./live-agent.js'],
  'services/guests/src/visits/bad-test.ts': ['./visit.test.js'],
  'services/guests/src/visits/bad-missing.ts': ['./nowhere.js'],
  'services/guests/src/visits/bad-undeclared.ts': ['undeclared'],
  'services/guests/src/visits/bad-ring-one.ts': ['./bad-ring-two.js'],
  'services/guests/src/visits/bad-ring-two.ts': ['./bad-ring-one.js'],
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
  ['services-are-apart', 'services/guests/src/app.ts', 'services/orders/src/main.ts'],
  ['no-internals-of-another-package', 'services/guests/src/app.ts', 'services/orders/src/main.ts'],
  ['packages-know-no-service', 'packages/kit/src/bad-service.ts', 'services/orders/src/main.ts'],
  ['no-internals-of-another-package', 'packages/kit/src/bad-service.ts', 'services/orders/src/main.ts'],
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
  ['oracle-api-imports-down', 'services/oracle-api/src/runs/bad-layer.ts', 'services/oracle-api/src/agent/turn.ts'],
  [
    'ussd-gateway-imports-down',
    'services/ussd-gateway/src/effects/bad-layer.ts',
    'services/ussd-gateway/src/http/aggregators.ts',
  ],
  [
    'domain-imports-inward',
    'services/ussd-gateway/src/effects/bad-layer.ts',
    'services/ussd-gateway/src/http/aggregators.ts',
  ],
  [
    'proto-gateway-imports-down',
    'services/proto-gateway/src/catalog/bad-layer.ts',
    'services/proto-gateway/src/access/gate.ts',
  ],
  [
    'grpc-channel-imports-down',
    'packages/grpc-channel/src/http2/bad-layer.ts',
    'packages/grpc-channel/src/pool/node-pool.ts',
  ],
  ['service-kit-imports-down', 'packages/service-kit/src/errors/bad-layer.ts', 'packages/service-kit/src/redis.ts'],
  [
    'ussd-workbench-imports-down',
    'packages/ussd-workbench/src/wire/bad-layer.ts',
    'packages/ussd-workbench/src/phone/handset.ts',
  ],
  ['the-page-stands-on-the-public-client', 'packages/playground/page/main.ts', 'packages/service-kit/src/redis.ts'],
  ['plugins-are-apart', 'services/guests/src/plugins/lock/plugin.ts', 'services/guests/src/plugins/bell/ring.ts'],
  [
    'the-plugin-api-knows-no-host',
    'services/guests/src/plugins/api/bad-api.ts',
    'services/guests/src/plugins/host/host.ts',
  ],
  ['no-plugin-is-needed', 'services/guests/src/visits/bad-plugin.ts', 'services/guests/src/plugins/bell/plugin.ts'],
  ['domain-knows-no-edge-library', 'services/guests/src/visits/bad-library.ts', 'node_modules/fastify/index.js'],
  ['domain-imports-inward', 'services/guests/src/visits/bad-direction.ts', 'services/guests/src/config.ts'],
  ['domain-imports-inward', 'services/guests/src/visits/bad-route.ts', 'services/guests/src/http/visits.ts'],
  ['domain-imports-inward', 'services/guests/src/visits/bad-protocol.ts', 'services/guests/src/protocols/rpc/calls.ts'],
  [
    'adapters-are-built-in-deps',
    'services/guests/src/visits/bad-adapter.ts',
    'services/guests/src/visits/memory-visit-store.ts',
  ],
  ['domain-knows-no-process', 'services/guests/src/visits/bad-process.ts', 'packages/service-kit/src/redis.ts'],
  [UNLISTED, 'packages/kit/src/bad-service.ts', 'services/orders/src/main.ts'],
  [UNLISTED, 'packages/service-kit/src/bad-domain.ts', 'packages/schemas/src/ussd/session.ts'],
  [UNLISTED, 'packages/parcel/src/bad-development.ts', 'node_modules/fast-check/index.js'],
  [UNLISTED, 'packages/parcel/src/bad-optional.ts', 'node_modules/ioredis/index.js'],
  [UNLISTED, 'packages/parcel/src/bad-neighbour.ts', 'packages/service-kit/src/redis.ts'],
  [UNLISTED, 'packages/parcel/src/bad-type.ts', 'node_modules/undici/index.js'],
  [UNLISTED, 'packages/oracle-client/src/live-agent/bad-development.ts', 'node_modules/fast-check/index.js'],
  [UNLISTED, 'packages/oracle-client/src/client.ts', 'node_modules/livekit-client/index.js'],
  ['optional-peer-on-a-subpath', 'packages/oracle-client/src/client.ts', 'node_modules/livekit-client/index.js'],
  [
    'optional-peer-on-a-subpath',
    'packages/oracle-client/src/bad-subpath.ts',
    'packages/oracle-client/src/live-agent.ts',
  ],
  [
    'optional-peer-on-a-subpath',
    'packages/grpc-channel/src/bad-subpath.ts',
    'packages/grpc-channel/src/grpc-js/channel.ts',
  ],
  ['no-test-code-in-production', 'services/guests/src/visits/bad-test.ts', 'services/guests/src/visits/visit.test.ts'],
  ['no-unresolvable', 'services/guests/src/visits/bad-missing.ts', './nowhere.js'],
  ['no-undeclared-dependency', 'services/guests/src/visits/bad-undeclared.ts', 'node_modules/undeclared/index.js'],
  ['no-circular', 'services/guests/src/visits/bad-ring-one.ts', 'services/guests/src/visits/bad-ring-two.ts'],
] as const;

const libraries = ['fastify', 'ioredis', 'undici', 'zod', '@grpc/grpc-js'];
let copy: string;
let found: string[];

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'mlango-dependency-rules-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
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
    mkdirSync(join(copy, 'node_modules/@mlango'), { recursive: true });
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@mlango', name), 'junction');
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
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 32 * 1024 * 1024,
    },
  );
  const { summary } = JSON.parse(run.stdout) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[] };
  };
  found = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the dependency rules of the repository', () => {
  it.each(expected)('%s stops %s', (rule, from, to) => {
    expect(found).toContain(`${rule}: ${from} -> ${to}`);
  });

  it('allow all other imports', () => {
    expect([...found].sort()).toEqual(expected.map(([rule, from, to]) => `${rule}: ${from} -> ${to}`).sort());
  });

  it.each(Object.entries(layers))('know every folder and file of %s', (folder, known) => {
    const entries = readdirSync(join(REPOSITORY, folder, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || /^(?!.*\.(?:test|contract|fixture)\.).*\.tsx?$/.test(entry.name))
      .map(({ name }) => name.replace(/\..*$/, ''));
    expect([...known].sort()).toEqual([...new Set(entries)].sort());
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
