import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endPrograms, type ListeningProgram, runProgram, startBuilt } from '@mlango/test-services/program';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { podEnvironment } from './pod-environment.fixture.js';
import { canRender, render } from './render.fixture.js';

const main = 'services/ussd-gateway/dist/main.js';
const mainFile = fileURLToPath(new URL(`../../${main}`, import.meta.url));
/** How long a cluster's proxies send callers to a terminating pod. */
const PROPAGATION_MS = 2_000;

let folder: string;
let stores: readonly [Awaited<ReturnType<typeof freshRedis>>, Awaited<ReturnType<typeof freshDatabase>>];

describe.skipIf(!canRender || postgresUrl === undefined || redisUrl === undefined)('a roll-out', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mlango-k8s-'));
    stores = await Promise.all([freshRedis(), freshDatabase()]);
  });
  afterEach(async () => {
    await endPrograms();
    await Promise.all(stores.map(({ drop }) => drop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('migrates first, and then replaces pod by pod without a failed hop', async () => {
    const secrets = {
      'redis-url': stores[0].url,
      'database-url': stores[1].url,
      ...Object.fromEntries(
        ['pin-encryption-key', 'operator-token', 'metrics-token'].map((name) => [
          name,
          randomBytes(32).toString('hex'),
        ]),
      ),
    };
    const manifests = render('small');
    const migrating = podEnvironment(manifests, { kind: 'Job', name: 'ussd-gateway-migration' }, { folder, secrets });
    // Two at once, as where a job is tried again.
    const jobs = [1, 2].map(() => runProgram([mainFile, 'migrate'], { env: migrating }));
    for (const { exit, output } of jobs) expect(await exit, output()).toBe(0);

    const env = {
      ...podEnvironment(manifests, { kind: 'Deployment', name: 'ussd-gateway' }, { folder, secrets }),
      PORT: '0',
      HOST: '127.0.0.1',
      TRUST_PROXY_ENABLED: 'false',
      RATE_LIMIT_TRUSTED_CIDRS: '127.0.0.1/32',
      // Flows may query the gateway; this one does not.
      PROTO_GATEWAY_URL: 'http://127.0.0.1:9',
      ORACLE_URL: 'http://127.0.0.1:9',
    };
    const pod = () => startBuilt(main, env);
    const service = await startService();
    try {
      const pods = await Promise.all([pod(), pod()]);
      for (const each of pods) service.add(each.address);
      const load = startLoad(service.url);
      for (const old of pods) {
        const successor = await pod();
        await expect.poll(() => isReady(successor)).toBe(true);
        service.add(successor.address);
        const ended = old.end('SIGTERM');
        await pause(PROPAGATION_MS);
        service.remove(old.address);
        expect(await ended).toBe(0);
      }
      const { answered, failed } = await load.stop();
      expect(failed).toEqual([]);
      expect(answered).toBeGreaterThan(60);
    } finally {
      await service.close();
    }
  }, 180_000);
});

async function isReady({ address }: ListeningProgram): Promise<boolean> {
  return (await fetch(`${address}/health/ready`)).ok;
}

/** Callers that dial and press a key, one hop after the other, on keep-alive connections. */
function startLoad(url: string) {
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const callers = Array.from({ length: 6 }, async (_, caller) => {
    for (let call = 0; !isOver; call += 1) {
      const who = {
        sessionId: `c${caller}-${call}`,
        serviceCode: '*2233#',
        phoneNumber: `+25471${1_000_000 + caller}`,
      };
      for (const text of ['', '1']) {
        const reply = await fetch(`${url}/api/ussd`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...who, text }),
        }).then(
          async (response) => `${response.status} ${await response.text()}`,
          (error: Error) => `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`,
        );
        if (reply.startsWith('200 CON')) answered += 1;
        else failed.push(reply);
        // Below the limit of one phone.
        await pause(1_100);
      }
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
      return { answered, failed };
    },
  };
}

/** Works like a Service: each new connection goes to one of its pods, and an existing one stays with its pod. */
async function startService() {
  const pods: URL[] = [];
  let turn = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((caller) => {
    turn += 1;
    const to = pods[turn % pods.length];
    if (to === undefined) return caller.destroy();
    const pod = connect(Number(to.port), to.hostname);
    for (const socket of [caller, pod]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    pod.on('close', () => caller.destroy());
    caller.on('close', () => pod.destroy());
    caller.pipe(pod).pipe(caller);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    add: (address: string) => void pods.push(new URL(address)),
    remove: (address: string) => {
      const at = pods.findIndex(({ origin }) => origin === address);
      if (at !== -1) pods.splice(at, 1);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
