import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child-process.js';
import type { Request } from './measure.js';

export interface Subject {
  readonly name: string;
  readonly process: Child;
  readonly request: Request;
  readonly floorRequest: Request;
  readonly amount: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = { 'content-type': 'application/json' };
const unlimited = { RATE_LIMIT_MAX: '1000000', TURNS_PER_ADDRESS: '1000000', SESSIONS_PER_USER: '1000000' };
const ports = { ussd: 13_000, oracle: 13_001, gateway: 13_002, node: 19_090 };

/** The three slices on embedded parts, each with the request that crosses all of it. */
export async function startSubjects(): Promise<{ subjects: Subject[]; stop: () => Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'bench-'));
  const node = await startChild(join(root, 'deploy/mock-node/dist/main.js'), {
    port: ports.node,
    env: { MOCK_NODE_PORT: String(ports.node) },
  });
  const start = (service: string, port: number, env: Record<string, string> = {}) =>
    startChild(join(root, `services/${service}/dist/main.js`), {
      port,
      healthPath: '/health',
      env: { PORT: String(port), DATA_DIR: join(data, service), ...unlimited, ...env },
    });
  const ussd = await start('ussd-gateway', ports.ussd);
  const gateway = await start('proto-gateway', ports.gateway, { GRPC_TARGETS: `127.0.0.1:${ports.node}` });
  const oracle = await start('oracle-api', ports.oracle, { LOCAL_MODEL_PACE_MS: '0' });
  const chat = await openSessions(oracle.url, join(data, 'oracle-api'));

  const dial = dialBody();
  const message = () => JSON.stringify({ message: 'What can you do?' });
  const query: Request = { method: 'GET', path: '/proto/token/params' };
  return {
    subjects: [
      {
        name: 'USSD dial, sessions in memory',
        process: ussd,
        request: { method: 'POST', path: '/api/ussd', headers: json, body: dial },
        floorRequest: { method: 'POST', path: '/ussd', headers: json, body: dial },
        amount: 20_000,
      },
      {
        name: 'gateway, token params over gRPC',
        process: gateway,
        request: query,
        floorRequest: { method: 'GET', path: '/query' },
        amount: 20_000,
      },
      {
        name: 'oracle, a whole turn of the local model as JSON',
        process: oracle,
        request: {
          method: 'POST',
          path: chat.path,
          headers: { ...json, ...chat.headers },
          body: message,
        },
        floorRequest: { method: 'POST', path: '/message', headers: json, body: message },
        amount: 500,
      },
    ],
    stop: async () => {
      await Promise.all([ussd.stop(), gateway.stop(), oracle.stop()]);
      await node.stop();
    },
  };
}

/** A new session and number for each dial, so that no reply is a stored one. */
function dialBody(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const phoneNumber = `+2609${String(count).padStart(8, '0')}`;
    return JSON.stringify({ sessionId: `bench-${count}`, serviceCode: '*384#', phoneNumber, text: '' });
  };
}

/** More sessions than requests at one time: a second message on a session would interrupt the first. */
const chatSessions = 64;

async function openSessions(
  url: string,
  dataDir: string,
): Promise<{ path: () => string; headers: Record<string, string> }> {
  const script = join(root, 'services/oracle-api/dist/dev-token.js');
  const token = execFileSync(process.execPath, [script], { env: { ...process.env, DATA_DIR: dataDir } });
  const headers = { authorization: `Bearer ${token.toString().trim()}`, 'x-auth-type': 'ucan' };
  const open = async (): Promise<string> => {
    const reply = await fetch(`${url}/sessions`, { method: 'POST', headers });
    const { sessionId } = (await reply.json()) as { sessionId: string };
    return `/messages/${sessionId}`;
  };
  const paths = await Promise.all(Array.from({ length: chatSessions }, open));
  let count = 0;
  return { headers, path: () => paths[count++ % chatSessions] ?? '' };
}
