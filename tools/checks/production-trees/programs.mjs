import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { dial, page, query, turn } from './doors.mjs';

/**
 * A program that an image is made of.
 * @typedef {object} Program
 * @property {string} name
 * @property {'http' | 'tcp'} readiness
 * @property {(setting: Setting) => Record<string, string>} env - the variables a production start asks for, secrets made up
 * @property {(base: string, setting: Setting) => Promise<void>} [visit] - one real request through its door
 */

/**
 * @typedef {object} Setting
 * @property {(name: string) => string} address - where a program listens, `host:port`
 * @property {(name: string) => string} tree - the production tree of a program
 */

const secret = () => randomBytes(32).toString('hex');
const seed = secret();

/**
 * The did:key of the oracle's key, as deploy/README.md has it made.
 * @param {Setting} setting
 */
function oracleDid({ tree }) {
  const command = join(tree('oracle-api'), 'packages/ucan-auth/dist/cli.js');
  return JSON.parse(execFileSync(process.execPath, [command, 'key', '--seed', seed], { encoding: 'utf8' })).did;
}

/** The chain node first: another one calls it. @type {readonly Program[]} */
export const PROGRAMS = [
  {
    name: 'mock-node',
    readiness: 'tcp',
    env: ({ address }) => ({ MOCK_NODE_PORT: address('mock-node').split(':')[1] ?? '' }),
  },
  {
    name: 'proto-gateway',
    readiness: 'http',
    env: ({ address }) => ({ GRPC_TARGETS: address('mock-node') }),
    visit: query,
  },
  {
    name: 'ussd-gateway',
    readiness: 'http',
    env: ({ address }) => ({
      ALLOW_EMBEDDED: 'true',
      PIN_ENCRYPTION_KEY: secret(),
      OPERATOR_TOKEN: secret(),
      PROTO_GATEWAY_URL: `http://${address('proto-gateway')}`,
    }),
    visit: dial,
  },
  {
    name: 'oracle-api',
    readiness: 'http',
    env: (setting) => ({
      ALLOW_EMBEDDED: 'true',
      ORACLE_SIGNING_SEED: seed,
      ORACLE_DID: oracleDid(setting),
      SEAL_KEYS: secret(),
      PROTO_GATEWAY_URL: `http://${setting.address('proto-gateway')}`,
      // It answers for the keys of did:ixo callers, and has no HTTPS here.
      PRIVATE_HOSTS: setting.address('proto-gateway'),
    }),
    visit: (base, setting) => turn(base, { tree: setting.tree('oracle-api'), did: oracleDid(setting) }),
  },
  {
    name: 'playground',
    readiness: 'http',
    env: ({ address }) => ({
      USSD_GATEWAY_URL: `http://${address('ussd-gateway')}`,
      ORACLE_URL: `http://${address('oracle-api')}`,
      PROTO_GATEWAY_URL: `http://${address('proto-gateway')}`,
    }),
    visit: page,
  },
];
