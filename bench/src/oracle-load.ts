/**
 * A thousand streams and a thousand sockets at once: what completes, what memory the oracle takes, how long the first text
 * takes, and what a frame costs beside a bare Fastify route that streams as much at the same pace. First with runs in the
 * process, then in Redis where there is one on this machine.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { startAnnouncedChild, startChild } from './child-process.js';
import { headersOf, openSessions, openSockets, type Session } from './oracle-sessions.js';
import { startOwnPostgres } from './own-postgres.js';
import { startOwnRedis } from './own-redis.js';
import { freePort } from './own-server.js';
import { printTable } from './print-table.js';
import { readStream } from './read-stream.js';
import { figureNames, figuresOf, measureStreams, residentMb, type StreamFigures } from './stream-figures.js';

const streams = 1_000;
const words = 100;
const paceMs = 100;
const toldWaitMs = 10_000;
const seed = 'a1'.repeat(32);
const main = fileURLToPath(new URL('../../services/oracle-api/dist/main.js', import.meta.url));

/** Loads an oracle of its own on these stores. */
async function loadOracle(name: string, stores: Record<string, string>): Promise<StreamFigures> {
  const port = await freePort();
  const oracle = await startChild(main, {
    port,
    healthPath: '/health',
    env: {
      PORT: String(port),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'bench-')),
      ORACLE_SIGNING_SEED: seed,
      RATE_LIMIT_MAX: '1000000',
      LOCAL_MODEL_PACE_MS: String(paceMs),
      ...stores,
    },
  });
  try {
    const sessions = await openSessions(oracle.url, signerFromSeed(seed).did);
    const idleMb = residentMb(oracle.pid);
    const sockets = await openSockets(oracle.url, sessions);
    const openMb = residentMb(oracle.pid);
    const ask = ({ sessionId, token }: Session) => {
      const body = { message: `count to ${words}`, stream: true };
      return readStream(`${oracle.url}/messages/${sessionId}`, headersOf(token), body, 'event: done');
    };
    const figures = await measureStreams(name, oracle.pid, () => Promise.all(sessions.map(ask)));
    let told = 0;
    const counted = sockets.map((socket) => socket.told.then(() => (told += 1)));
    await Promise.race([Promise.all(counted), sleep(toldWaitMs)]);
    for (const socket of sockets) socket.close();
    const memory = `${idleMb} MB without sockets, ${openMb} MB with them`;
    process.stdout.write(`${name}: ${told} of ${sockets.length} sockets told of the end of their turn; ${memory}\n`);
    if (told < sockets.length || figures.readings.some(({ isComplete }) => !isComplete)) process.exitCode = 1;
    return figures;
  } finally {
    await oracle.stop();
  }
}

async function loadFloor(): Promise<StreamFigures> {
  const floor = await startAnnouncedChild(fileURLToPath(new URL('./oracle-floor.js', import.meta.url)));
  // As many frames as a turn has, `run` and `done` among them.
  const count = words + 2;
  const ask = () => readStream(`${floor.url}/stream`, {}, { count, paceMs }, `"content":"${count} "`);
  const all = () => Promise.all(Array.from({ length: streams }, ask));
  try {
    return await measureStreams('bare route', floor.pid, all);
  } finally {
    await floor.stop();
  }
}

const [redis, postgres] = await Promise.all([startOwnRedis(), startOwnPostgres()]);
const database: Record<string, string> = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
try {
  const floor = await loadFloor();
  const rows = [floor, await loadOracle('oracle, runs in the process', database)];
  if (redis !== undefined) rows.push(await loadOracle('oracle, runs in Redis', { ...database, REDIS_URL: redis.url }));
  process.stdout.write('\n');
  const ratioOf = (figures: StreamFigures) => (figures.cpuUsPerFrame / floor.cpuUsPerFrame).toFixed(1);
  printTable(
    [...figureNames, 'to bare'],
    rows.map((figures) => [...figuresOf(figures), ratioOf(figures)]),
  );
} finally {
  await Promise.all([redis?.stop(), postgres?.stop()]);
}
