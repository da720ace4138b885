import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority } from '@mlango/test-services/authority';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { nodesOf } from '../../src/nodes/targets.js';

const folder = mkdtempSync(join(tmpdir(), 'nodes-file-'));
const authority = makeAuthority();
const identity = authority.issue('gateway.example');
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const [ca, cert, key, secret] = [
  write('ca.pem', authority.cert),
  write('cert.pem', identity.cert),
  write('key.pem', identity.key),
  write('secret', 'k3y\n'),
];
const nodesIn = (text: string) => nodesOf(readConfig({ GRPC_TARGETS: write('nodes.yaml', text) }).nodes);

describe('a file of nodes', () => {
  it('has TLS, server name, heights and metadata for each node', () => {
    const nodes = nodesIn(`
nodes:
  - target: archive:9090@1-5000000
  - target: node.example:443
    tls: true
    metadata: { x-api-key: { file: ${secret} }, x-plan: gold }
  - target: 10.0.0.7:443
    serverName: inner.example
    tls: { ca: { file: ${ca} }, cert: { file: ${cert} }, key: { file: ${key} } }
`);
    expect(nodes).toMatchObject([
      { target: 'archive:9090', range: { from: 1n, to: 5_000_000n }, tls: undefined },
      {
        target: 'node.example:443',
        tls: {},
        metadata: [
          ['x-api-key', 'k3y'],
          ['x-plan', 'gold'],
        ],
      },
      { target: '10.0.0.7:443', serverName: 'inner.example', tls: { ca: authority.cert, identity } },
    ]);
  });

  it.each([
    ['nodes: []', /nodes/],
    ['nodes: [{ target: node }]', /nodes\.0\.target: must be host:port/],
    ['nodes: [{ target: "node:99999" }]', /nodes\.0\.target/],
    ['nodes: [{ target: "node:1", tsl: true }]', /nodes\.0/],
    ['nodes: [{ target: "a:1", metadata: { X-Key: a } }]', /nodes\.0\.metadata/],
    ['nodes: [{ target: "a:1", metadata: { grpc-timeout: 1S } }]', /metadata\.grpc-timeout: is a name of the protocol/],
    ['nodes: [{ target: "a:1", metadata: { k: "a\\nb" } }]', /metadata\.k: must be printable/],
    ['nodes: [{ target: "a:1", tls: { ca: { file: /nope } } }]', /\/nope cannot be read/],
    [`nodes: [{ target: "a:1", tls: { cert: { file: ${cert} } } }]`, /needs cert and key together/],
    [`nodes: [{ target: "a:1", tls: { ca: { file: ${secret} } } }]`, /tls\.ca: must be certificates/],
    ['nodes: [{ target: "a:1" }, { target: "a:1" }]', /each node once/],
    ['nodes: [{ target: "a:1@1-5" }]', /without a last height/],
    ['nodes: [', /nodes\.yaml:1: is not YAML/],
  ])('that is invalid is refused with its place, and without secrets: %s', (text, message) => {
    expect(() => nodesIn(text)).toThrow(message);
    expect(() => nodesIn(text)).not.toThrow(/k3y/);
  });

  it('that is missing is refused, and so is GRPC_TLS with a file', () => {
    expect(() => readConfig({ GRPC_TARGETS: '/nope/nodes.yaml' })).toThrow(/GRPC_TARGETS: .*cannot be read/);
    const file = write('plain.yaml', 'nodes: [{ target: "a:1" }]');
    expect(() => readConfig({ GRPC_TARGETS: file, GRPC_TLS: 'true' })).toThrow(/setting of each node/);
  });
});
