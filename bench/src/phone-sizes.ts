import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './child-process.js';
import { freePort } from './own-server.js';
import type { RedisGauge } from './redis-gauge.js';

const main = fileURLToPath(new URL('../../services/ussd-gateway/dist/main.js', import.meta.url));
const sessions = 3_000;
const warmUp = 1_096;
const atOnce = 8;

/** Bytes that the USSD gateway takes for a session of three hops, each of another phone. */
export async function phoneSizes(gauge: RedisGauge, redisUrl: string): Promise<[name: string, bytes: number][]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const port = await freePort();
  // Menus need no database.
  const stores = { REDIS_URL: redisUrl, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const env = { PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_MAX: '1000000', PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
  const service = await startChild(main, { port, healthPath: '/', env: { ...env, ...stores } });
  const hop = async (phone: number, text: string) => {
    const body = {
      sessionId: `ATUid_bench_${phone}`,
      serviceCode: '*2233#',
      phoneNumber: `+2609${10_000_000 + phone}`,
      text,
    };
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${service.url}/api/ussd`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!(await reply.text()).startsWith('CON')) throw new Error('a session has ended early');
  };
  const play = async (from: number, to: number) => {
    let next = from;
    const playOn = async () => {
      for (let phone = next++; phone < to; phone = next++) for (const text of ['', '1', '1*2']) await hop(phone, text);
    };
    await Promise.all(Array.from({ length: atOnce }, playOn));
  };
  try {
    // The tables of keys grow by doubling: from here to the end they do so once.
    await play(0, warmUp);
    return [['ussd_session', await gauge.bytesEach(sessions, () => play(warmUp, warmUp + sessions))]];
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
