import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, logVerbosity, setLogVerbosity, status } from '@grpc/grpc-js';
import { QueryService } from '@mlango/proto/ixo/entity/v1beta1/query';
import { afterAll, describe, expect, it } from 'vitest';
import { call, connect, reply } from '../test/call.js';
import { startMockNode } from './server.js';

// The library also logs a port in use.
setLogVerbosity(logVerbosity.NONE);

const OPENSSL = 'openssl';

describe('startMockNode', () => {
  it('a taken port is an error with code EADDRINUSE', async () => {
    const first = await startMockNode();
    await expect(startMockNode({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });

  it('closing frees the port, and closing twice is safe', async () => {
    const first = await startMockNode();
    await first.close();
    await first.close();
    const second = await startMockNode({ port: first.port });
    expect(second.port).toBe(first.port);
    await second.close();
  });

  it('closing cuts calls that exceed the drain time', async () => {
    const node = await startMockNode({ drainMs: 50 });
    const client = connect(node.address);
    const slow = call(client, QueryService.entity, { id: 'did:ixo:entity:delay-60000' });
    await reply(client, QueryService.params, {});
    await node.close();
    expect([status.CANCELLED, status.UNAVAILABLE]).toContain((await slow).error?.code);
    client.close();
  });
});

const hasOpenssl = (() => {
  try {
    execFileSync(OPENSSL, ['version']);
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasOpenssl)('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mock-node-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('serves clients that trust its certificate, and refuses clients without a certificate if required', async () => {
    const keyFile = join(folder, 'key.pem');
    const certFile = join(folder, 'cert.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '1', '-nodes'];
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync(OPENSSL, ['req', '-x509', ...newKey, '-keyout', keyFile, '-out', certFile, ...subject], {
      stdio: 'ignore',
    });
    const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
    const [keyBytes, certBytes] = [Buffer.from(key), Buffer.from(cert)];

    const node = await startMockNode({ tls: { key, cert } });
    const client = connect(node.address, credentials.createSsl(certBytes));
    expect((await reply(client, QueryService.params, {})).params?.createSequence).toBe('200');
    client.close();
    await node.close();

    const strict = await startMockNode({ tls: { key, cert, clientCa: cert } });
    const known = connect(strict.address, credentials.createSsl(certBytes, keyBytes, certBytes));
    expect((await reply(known, QueryService.params, {})).params?.createSequence).toBe('200');
    known.close();
    const stranger = connect(strict.address, credentials.createSsl(certBytes));
    await expect(reply(stranger, QueryService.params, {})).rejects.toMatchObject({ code: 14 });
    stranger.close();
    await strict.close();
  });
});
