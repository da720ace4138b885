import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { startChild } from './child-process.js';
import { headersOf } from './oracle-sessions.js';
import { freePort } from './own-server.js';
import type { RedisGauge } from './redis-gauge.js';
import { openSocket } from './session-socket.js';

const seed = 'a1'.repeat(32);
const main = fileURLToPath(new URL('../../services/oracle-api/dist/main.js', import.meta.url));
const runs = 12;
/** One user may have few more. */
const sockets = 20;
/** The shortest and the usual tell what a frame takes, the usual and the longest what a word takes when they are joined. */
const words = { short: 20, usual: 500, long: 1_000 };
/** Texts are joined ten seconds after the end of a run. */
const joinedAfterMs = 13_000;
/** Tickets are kept beside the greeting. */
const ticketsKeptMs = 1_000;

/** Bytes that the chat takes for runs, as they are written and when they have been joined, and for a socket. */
export async function chatSizes(gauge: RedisGauge, redisUrl: string): Promise<[name: string, bytes: number][]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const port = await freePort();
  const limits = {
    RATE_LIMIT_MAX: '1000000',
    TURNS_PER_ADDRESS: '1000000',
    SESSIONS_PER_USER: '1000000',
    LOCAL_MODEL_PACE_MS: '0',
  };
  const env = { PORT: String(port), DATA_DIR: dataDir, ORACLE_SIGNING_SEED: seed, REDIS_URL: redisUrl, ...limits };
  const oracle = await startChild(main, { port, healthPath: '/health', env });
  try {
    const user = signerFromSeed(Buffer.alloc(32, 1));
    const token = await mintInvocation({ signer: user, audience: signerFromSeed(seed).did });
    const headers = { ...headersOf(token), 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(`${oracle.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const newSession = async () => ((await (await post('/sessions', {})).json()) as { sessionId: string }).sessionId;
    /** Bytes of a run of so many words, right after it ended and when its texts have been joined. */
    const measureRun = async (count: number) => {
      const reply = await post(`/messages/${await newSession()}`, { message: `count to ${count}`, stream: true });
      if (!(await reply.text()).includes('"status":"finished"')) throw new Error('a run has not finished');
      const name = reply.headers.get('x-run-id') ?? '';
      const written = await gauge.bytesOf(name);
      return { written, joined: () => gauge.bytesOf(name) };
    };
    const measureRuns = async (count: number) => {
      const measured = [];
      for (let run = 0; run < runs; run++) measured.push(await measureRun(count));
      await sleep(joinedAfterMs);
      const joined = await Promise.all(measured.map((run) => run.joined()));
      return { written: mean(measured.map((run) => run.written)), joined: mean(joined) };
    };
    const short = await measureRuns(words.short);
    const usual = await measureRuns(words.usual);
    const long = await measureRuns(words.long);
    const frame = (usual.written - short.written) / (words.usual - words.short);
    const ids = await Promise.all(Array.from({ length: sockets }, newSession));
    const opened = await Promise.all(ids.map((id) => openSocket('socket.io', oracle.url, id, token)));
    await sleep(ticketsKeptMs);
    const ticket = (await gauge.bytesOf('}:recovery')) / sockets;
    for (const socket of opened) socket.close();
    return [
      ['run', short.written - words.short * frame],
      ['frame', frame],
      ['ended_run', usual.joined],
      ['ended_word', (long.joined - usual.joined) / (words.long - words.usual)],
      ['socket', ticket],
    ];
  } finally {
    await oracle.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
