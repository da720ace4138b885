import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvError } from '@mlango/service-kit/env';
import { makeAuthority } from '@mlango/test-services/authority';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { nodeTls } from '../../src/nodes/tls.js';

const authority = makeAuthority();
const identity = authority.issue('gateway.example');
const expired = authority.issue('gateway.example', { expired: true });
const files: Record<string, string> = {
  ca: authority.cert,
  cert: identity.cert,
  key: identity.key,
  'expired.cert': expired.cert,
  'expired.key': expired.key,
  text: 'this is no certificate',
};
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The files by the name of their variable, without `GRPC_` and `_FILE`. */
function read(input: Record<string, string>, tls = 'true') {
  const source = Object.entries(input).map(([name, file]) => [`GRPC_${name}_FILE`, join(folder, file)]);
  return readConfig({ ...(tls === '' ? {} : { GRPC_TLS: tls }), ...Object.fromEntries(source) }).nodes;
}

function problemsOf(input: Record<string, string>, tls?: string): string[] {
  try {
    read(input, tls);
    return [];
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return error.problems.map(({ variable, message }) => `${variable} ${message}`);
  }
}

describe('TLS to the nodes', () => {
  it('is off by default', () => {
    expect(nodeTls(readConfig({}).nodes)).toBeUndefined();
  });

  it('needs no files for nodes with certificates of a public authority', () => {
    expect(nodeTls(readConfig({ GRPC_TLS: 'true' }).nodes)).toEqual({ ca: undefined });
  });

  it('reads an authority and an identity from files', () => {
    expect(nodeTls(read({ CA: 'ca', CERT: 'cert', KEY: 'key' }))).toEqual({
      ca: authority.cert.trimEnd(),
      identity: { cert: identity.cert.trimEnd(), key: identity.key.trimEnd() },
    });
  });

  it.each([
    [{ CA: 'ca' }, '', 'GRPC_CA is set, but GRPC_TLS is not true'],
    [{ CERT: 'cert' }, 'off', 'GRPC_CERT is set, but GRPC_TLS is not true'],
    [{ CERT: 'cert' }, 'true', 'GRPC_KEY is required with GRPC_CERT'],
    [{ KEY: 'key' }, 'true', 'GRPC_CERT is required with GRPC_KEY'],
    [{ CA: 'text' }, 'true', 'GRPC_CA must be certificates in PEM'],
    [{ CERT: 'text', KEY: 'key' }, 'true', 'GRPC_CERT must be a certificate in PEM'],
    [{ CERT: 'cert', KEY: 'text' }, 'true', 'GRPC_KEY must be a private key in PEM, without a passphrase'],
    [{ CERT: 'cert', KEY: 'expired.key' }, 'true', 'GRPC_KEY does not belong to the certificate'],
    [
      { CA: 'nowhere' },
      'true',
      expect.stringMatching(/^GRPC_CA the file named by GRPC_CA_FILE, .*nowhere, cannot be read: .*ENOENT/),
    ],
  ])('refuses %j with GRPC_TLS=%s', (input, tls, problem) => {
    expect(problemsOf(input as Record<string, string>, tls)).toEqual([problem]);
  });

  it('refuses an identity that has expired', () => {
    expect(problemsOf({ CERT: 'expired.cert', KEY: 'expired.key' })).toEqual([
      expect.stringMatching(/^GRPC_CERT expired on /),
    ]);
  });
});
