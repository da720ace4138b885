import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ServiceProcess, startService } from '../../test/service-process.fixture.js';
import { authOf, closeClients, plainClient, socketIoClient } from './sockets.fixture.js';

let dataDir: string;
let service: ServiceProcess | undefined;
afterEach(async () => {
  closeClients();
  service?.child.kill('SIGKILL');
  await service?.exit;
  await rm(dataDir, { recursive: true, force: true });
});

describe('the service as a process', { timeout: 60_000 }, () => {
  it('closes open sockets with a retry reason on SIGTERM, and ends with exit code 0', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'oracle-sockets-'));
    service = await startService({ DATA_DIR: dataDir, ORACLE_SIGNING_SEED: Buffer.alloc(32, 'o').toString('hex') });
    const auth = await authOf('a');
    const headers = { authorization: `Bearer ${auth.invocation}`, 'x-auth-type': 'ucan' };
    const reply = await fetch(`${service.base}/sessions`, { method: 'POST', headers });
    const { sessionId } = (await reply.json()) as { sessionId: string };
    const plain = plainClient(service.base, sessionId, auth);
    const stock = socketIoClient(service.base, sessionId, auth);
    const polling = socketIoClient(service.base, sessionId, auth, { transports: ['polling'] });
    await Promise.all([plain, stock, polling].map((client) => client.next('connected')));
    // Unauthenticated connections must not delay the exit either.
    const silent = plainClient(service.base, sessionId);
    service.child.kill('SIGTERM');
    expect(await plain.closed).toEqual({ code: 1001, reason: 'shutdown' });
    // Not "io server disconnect", after which clients do not retry.
    expect(await stock.next('disconnect')).toEqual({ reason: 'transport close' });
    expect(await polling.next('disconnect')).toEqual({ reason: expect.stringMatching(/^transport/) });
    await silent.closed;
    expect(await service.exit).toBe(0);
  });
});
