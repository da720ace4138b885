'use strict';

/**
 * Folders and files of `src/`, by package, lowest first. A layer imports from itself and from lower layers. A folder is listed by
 * its name, a file without its extension; `dependency-rules.test.ts` holds each list complete.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const LAYERS = {
  'packages/ucan-auth': ['dids', 'decode', 'policy', 'verify', 'stores', 'mint', 'http', 'auth', 'cli'],
  'packages/transcoder': ['fields', 'wire', 'template', 'rules', 'bind', 'json', 'grpc', 'transcoder'],
  'packages/grpc-channel': [
    'metadata',
    'connect-problem',
    'grpc-code',
    'node-failure',
    'retry-later-error',
    'channel',
    'call-hooks',
    'http2',
    'node-options',
    'calls',
    'grpc-js',
    'pool',
    'create-channel',
    'grpc-channel',
  ],
  'packages/service-kit': [
    'errors',
    'logging',
    'metrics',
    'json',
    'env',
    'database',
    'tracing',
    'redis',
    'rate-limit',
    'http',
    'shared-pools',
    'process',
  ],
  'packages/ussd-workbench': ['format', 'save-file', 'wire', 'phone', 'map', 'use-simulator', 'workbench'],
  'services/ussd-gateway': [
    'session-scope',
    'engine',
    'effects',
    'sessions',
    'accounts',
    'entries',
    'phone-identity',
    'connectors',
    'flows',
    'aggregators',
    'aggregator-settings',
    'analytics',
    'tenants',
    'transcripts',
    'stored-data',
    'environment-variables',
    'config',
    'deps',
    'http',
    'app',
    'cli',
    'main',
  ],
  'services/proto-gateway': [
    'catalog',
    'nodes',
    'access',
    'answers',
    'cache',
    'watch',
    'query',
    'protocols',
    'http',
    'config',
    'app',
    'deps',
    'cli',
    'main',
  ],
  'services/oracle-api': [
    'version',
    'shared-pools',
    'store',
    'models',
    'limits',
    'files',
    'identity',
    'runs',
    'agent',
    'account',
    'plugins',
    'cors',
    'sockets',
    'http',
    'protocols',
    'environment-variables',
    'config',
    'deps',
    'app',
    'oracle',
    'create-test-oracle',
    'evals',
    'dev-token',
    'cli',
    'main',
  ],
};

/** The file that lists the tables of all layers. */
const ALL_TABLES = '/oracle-api/src/store/oracle-schema\\.ts$';

/** A rule for each layer. @param {string} test - pattern of files that are no production code */
function layerRules(test) {
  return Object.entries(LAYERS).flatMap(([folder, layers]) =>
    layers.slice(0, -1).map((layer, index) => ({
      name: `${folder.split('/')[1]}-imports-down`,
      comment: 'A folder of `src/` imports from lower layers only, types too; tools/checks/layers.cjs has their order.',
      severity: /** @type {const} */ ('error'),
      from: { path: `^${folder}/src/${layer}[./]`, pathNot: `${test}|${ALL_TABLES}` },
      to: { path: `^${folder}/src/(${layers.slice(index + 1).join('|')})[./]` },
    })),
  );
}

module.exports = { LAYERS, layerRules };
