// Rules for imports. `npm run check -- deps` applies them; tools/checks tests that each one refuses its forbidden import.

const { layerRules } = require('./tools/checks/layers.cjs');
const { productionRules } = require('./tools/checks/production-dependencies.cjs');

const TEST = '\\.(test|contract|fixture)\\.tsx?$|/test/|/fixtures/';
const ADAPTER = '/(memory|redis|postgres|sql)(-[^/]+|)\\.ts$';
/** SQL stores without a second adapter: each is one module, types and statements together. */
const SQL_STORE =
  '/oracle-api/src/(store/|runs/usage-outbox|agent/loop/sql-approvals|agent/loop/suspended-runs|.*-store\\.ts$|plugins/credits/credit-(ledger|claims))' +
  '|/ussd-gateway/src/(accounts/(account-store|find-callers|attempt-counters)|stored-data/subscriber-data|effects/(effect-rows|effect-store|once)|analytics/count-store)\\.ts$';
/** Folders between callers and the domain: routes, protocols and sockets. */
const EDGE = '(http|protocols|sockets)/';
/** The folder of one plugin. */
const PLUGIN = 'plugins/(?!host/|api/)[^/]+/';
const DOMAIN = `^services/[^/]+/src/(?!${EDGE}|deps/|cli/)[^/]+/`;

/** The subpaths that need an optional peer: of the React client, and of the gRPC channel. */
const ON_A_SUBPATH = '^packages/(oracle-client/src/live-agent[./]|grpc-channel/src/grpc-js/)';

/** Third parties a domain folder must not know: web, stores, wire. */
const EDGE_LIBRARIES = [
  'fastify',
  'fastify-[^/]+',
  '@fastify/[^/]+',
  'ioredis',
  'drizzle-orm',
  'postgres',
  'pg',
  '@electric-sql/[^/]+',
  '@grpc/grpc-js',
  'socket\\.io',
];

/** @param {readonly string[]} names - package names, as patterns */
const library = (names) => `(^|/)node_modules/(${names.join('|')})/`;

/** @param {string} name */
const subpath = (name) => `^packages/service-kit/(src|dist)/(${name})(\\.|/)`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'services-are-apart',
      comment: 'A service never imports another: they share contracts and crypto, never code.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      comment:
        'A package never imports a service, a deployment or a benchmark. Clients are tested against the service they speak with.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(oracle-client|playground)/test/' },
      to: { path: '^(services|deploy|bench)/' },
    },
    {
      name: 'service-kit-knows-no-domain',
      comment:
        'service-kit serves any process: of the other packages it knows async, crypto, outbound and the shape of an error.',
      severity: 'error',
      from: { path: '^packages/service-kit/src/', pathNot: TEST },
      to: {
        path: '^(packages|proto)/',
        pathNot: '^packages/(service-kit|async|crypto|outbound)/|^packages/schemas/(src|dist)/common/errors[./]',
      },
    },
    {
      name: 'schemas-depend-on-zod-only',
      comment: 'Contracts are read by servers and browsers alike.',
      severity: 'error',
      from: { path: '^packages/schemas/src/', pathNot: TEST },
      to: { pathNot: `^packages/schemas/|${library(['zod'])}` },
    },
    {
      name: 'crypto-depends-on-nothing',
      comment: 'Node builtins only.',
      severity: 'error',
      from: { path: '^packages/crypto/src/', pathNot: TEST },
      to: { pathNot: '^packages/crypto/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'async-depends-on-nothing',
      comment: 'The primitives of concurrent work stand below everything: Node builtins only.',
      severity: 'error',
      from: { path: '^packages/async/src/', pathNot: TEST },
      to: { pathNot: '^packages/async/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'outbound-depends-on-its-libraries-only',
      comment: 'The guard on calls to addresses that others name stands below tokens and services alike.',
      severity: 'error',
      from: { path: '^packages/outbound/src/', pathNot: TEST },
      to: { pathNot: `^packages/outbound/|${library(['undici', 'ipaddr\\.js'])}`, dependencyTypesNot: ['core'] },
    },
    {
      name: 'grpc-channel-depends-on-nothing',
      comment: 'Node builtins only; grpc-js on its subpath.',
      severity: 'error',
      from: { path: '^packages/grpc-channel/src/', pathNot: `${ON_A_SUBPATH}|${TEST}` },
      to: { pathNot: '^packages/grpc-channel/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'transcoder-depends-on-protobuf-only',
      comment: 'It is pure, and knows no server, no client and no API: what an API adds comes in by hooks.',
      severity: 'error',
      from: { path: '^packages/transcoder/src/', pathNot: TEST },
      to: { pathNot: `^packages/transcoder/|${library(['@bufbuild/protobuf'])}` },
    },
    {
      name: 'cosmos-rest-depends-on-the-transcoder-only',
      comment: 'What clients of Cosmos nodes expect, on top of it and as pure as it is.',
      severity: 'error',
      from: { path: '^packages/cosmos-rest/src/', pathNot: TEST },
      to: { pathNot: `^packages/(cosmos-rest|transcoder)/|${library(['@bufbuild/protobuf'])}` },
    },
    {
      name: 'ucan-auth-fastify-on-a-subpath',
      comment: 'Tokens are verified outside of Fastify too: only src/http/fastify imports it.',
      severity: 'error',
      from: { path: '^packages/ucan-auth/src/', pathNot: `^packages/ucan-auth/src/http/fastify|${TEST}` },
      to: { path: `${library(['fastify', 'fastify-[^/]+', '@fastify/[^/]+'])}|^packages/ucan-auth/src/http/fastify` },
    },
    ...layerRules(TEST),
    {
      name: 'domain-knows-no-edge-library',
      comment: 'A domain folder is pure; what talks to a library is an adapter or a route.',
      severity: 'error',
      from: {
        path: DOMAIN,
        pathNot: `${ADAPTER}|${SQL_STORE}|${TEST}|^services/[^/]+/src/(plugins/)?[^/]+/((state|loop)/)?schema\\.ts$`,
      },
      to: { path: library(EDGE_LIBRARIES) },
    },
    {
      name: 'domain-knows-no-process',
      comment: 'Connections, settings and the HTTP app are handed to a domain folder, which never opens them.',
      severity: 'error',
      from: { path: DOMAIN, pathNot: `${ADAPTER}|${SQL_STORE}|${TEST}` },
      to: { path: subpath('http/index|process/index|redis|database'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-imports-inward',
      comment: 'Imports point inward: never from a domain folder to a route, the settings or the wiring.',
      severity: 'error',
      from: { path: `^services/([^/]+)/src/(?!${EDGE}|deps/|cli/)[^/]+/`, pathNot: TEST },
      to: { path: `^services/$1/src/((config|deps|app|main)\\.ts$|deps/|${EDGE})` },
    },
    {
      name: 'adapters-are-built-in-deps',
      comment:
        'Only deps.ts, the files of deps/ it is made of, and what opens the tables of a plugin build adapters; everything else sees the port.',
      severity: 'error',
      from: {
        path: '^services/([^/]+)/src/',
        pathNot: `^services/[^/]+/src/(deps(\\.ts$|/)|plugins/[^/]+/tables\\.ts$)|${ADAPTER}|${SQL_STORE}|${TEST}`,
      },
      to: { path: `^services/$1/src/.*${ADAPTER}`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-page-stands-on-the-public-client',
      comment:
        'What the playground shows, anybody can build: of the packages its page knows the client, the workbench and the contracts.',
      severity: 'error',
      from: { path: '^packages/playground/page/' },
      to: {
        path: '^(packages|services|proto|deploy)/',
        pathNot: '^packages/(playground/page|oracle-client|ussd-workbench|schemas)/',
      },
    },
    {
      name: 'plugins-are-apart',
      comment: 'A plugin never imports another one: what two of them need stands beside their folders.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/plugins/(?!host/|api/)([^/]+)/' },
      to: { path: `^services/[^/]+/src/${PLUGIN}`, pathNot: '^services/$1/src/plugins/$2/' },
    },
    {
      name: 'the-plugin-api-knows-no-host',
      comment: 'The API of plugins does not depend on the code that finds, starts and runs them.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/plugins/api/', pathNot: TEST },
      to: { path: '^services/$1/src/plugins/(?!api/)[^/]+/' },
    },
    {
      name: 'no-plugin-is-needed',
      comment: 'Plugins are found by their folders. Nothing else imports one, so each can be taken away.',
      severity: 'error',
      from: { path: '^services/[^/]+/', pathNot: `^services/[^/]+/src/${PLUGIN}|${TEST}` },
      to: { path: `^services/[^/]+/src/${PLUGIN}` },
    },
    {
      name: 'no-internals-of-another-package',
      comment: 'Another package is imported by its name and one of its subpaths, never by a path into it.',
      severity: 'error',
      from: { path: '^(packages|services|deploy)/([^/]+)/' },
      to: { path: '^(packages|services|deploy|proto|tools|bench)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-test-code-in-production',
      comment: 'Nor tools, the mock node or benchmarks: none of them is there when the service runs.',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: TEST },
      to: { path: `${TEST}|^(tools|deploy|bench)/` },
    },
    ...productionRules({ root: process.cwd(), test: TEST, optionalPeersIn: ON_A_SUBPATH }),
    {
      name: 'optional-peer-on-a-subpath',
      comment: 'An optional peer is loaded by the one subpath that needs it, and by no other.',
      severity: 'error',
      from: { path: '^packages/(oracle-client|grpc-channel)/src/', pathNot: `${ON_A_SUBPATH}|${TEST}` },
      to: { path: `${library(['livekit-client', '@grpc/grpc-js'])}|${ON_A_SUBPATH}` },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'What is imported stands in the package.json beside it.',
      severity: 'error',
      from: {},
      // A peer counts as declared; it is reported as both. So does what `imports` of the package.json names.
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm-peer', 'aliased-subpath-import'],
      },
    },
    {
      name: 'no-unresolvable',
      comment: 'The clients of published-clients have a lockfile of their own, and hast and mdast are types alone.',
      severity: 'error',
      from: { pathNot: '^services/oracle-api/test/published-clients/clients/' },
      to: { couldNotResolve: true, pathNot: '^(hast|mdast)$' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-deprecated-builtin',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['deprecated'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^proto/(gen|dist)/'] },
    exclude: { path: '(^|/)(dist|coverage|drizzle)/' },
    moduleSystems: ['es6', 'cjs'],
    // Imports of types count.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // As the tests resolve: a package of this workspace by its source.
      conditionNames: ['@mlango/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
