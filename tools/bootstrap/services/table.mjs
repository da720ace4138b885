import { join } from 'node:path';

/**
 * A service that `npm start` runs.
 * @typedef {object} ServiceEntry
 * @property {string} name
 * @property {string} script - absolute path of its built main file
 * @property {{ variable: string, fallback: number, readAs?: string }} port - the variable that moves it, and the one the
 *   service reads instead of `PORT`
 * @property {'http' | 'tcp'} readiness - `GET /health` answers 200, or the port accepts a connection
 * @property {string} [after] - the service that has to be ready before this one starts
 * @property {(address: (name: string) => string) => Record<string, string>} env - given where each service listens
 *   (`host:port`); a variable the user has set wins
 */

const oracleEntity = 'did:ixo:entity:e0001';

/**
 * The services. The first is the one the others call: it is stopped last.
 * @param {string} root - the repository
 * @returns {ServiceEntry[]}
 */
export function serviceTable(root) {
  return [
    {
      name: 'mock-node',
      script: join(root, 'deploy/mock-node/dist/main.js'),
      port: { variable: 'MOCK_NODE_PORT', fallback: 9090, readAs: 'MOCK_NODE_PORT' },
      readiness: 'tcp',
      // Clients read on the chain where the oracle is.
      env: (address) => ({
        MOCK_NODE_ORACLE_URL: `http://${address('oracle-api')}`,
        MOCK_NODE_GATEWAY_URL: `http://${address('proto-gateway')}`,
      }),
    },
    {
      name: 'ussd-gateway',
      script: join(root, 'services/ussd-gateway/dist/main.js'),
      port: { variable: 'USSD_PORT', fallback: 3000 },
      readiness: 'http',
      env: (address) => ({
        PROTO_GATEWAY_URL: `http://${address('proto-gateway')}`,
        ORACLE_URL: `http://${address('oracle-api')}`,
        ORACLE_DID: oracleEntity,
      }),
    },
    {
      name: 'oracle-api',
      script: join(root, 'services/oracle-api/dist/main.js'),
      port: { variable: 'ORACLE_PORT', fallback: 3001 },
      readiness: 'http',
      // The entity of this oracle on the mock chain: clients find the oracle by it and use it as the audience of tokens.
      env: (address) => ({
        PROTO_GATEWAY_URL: `http://${address('proto-gateway')}`,
        ORACLE_ENTITY_DID: oracleEntity,
        API_KEYS: 'on',
      }),
    },
    {
      name: 'proto-gateway',
      script: join(root, 'services/proto-gateway/dist/main.js'),
      port: { variable: 'PROTO_PORT', fallback: 3002 },
      readiness: 'http',
      // Without the node it would start degraded and log an error.
      after: 'mock-node',
      env: (address) => ({ GRPC_TARGETS: address('mock-node') }),
    },
    {
      name: 'playground',
      script: join(root, 'packages/playground/dist/main.js'),
      port: { variable: 'PLAYGROUND_PORT', fallback: 3003 },
      readiness: 'http',
      env: (address) => ({
        USSD_GATEWAY_URL: `http://${address('ussd-gateway')}`,
        ORACLE_URL: `http://${address('oracle-api')}`,
        PROTO_GATEWAY_URL: `http://${address('proto-gateway')}`,
        ORACLE_DID: oracleEntity,
      }),
    },
  ];
}
