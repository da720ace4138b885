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
import { headersOf, openSessions, openSockets } from './oracle-sessions.js';
import { startOwnPostgres } from './own-postgres.js';
import { startOwnRedis } from './own-redis.js';
import { freePort } from './own-server.js';
import { printTable } from './print-table.js';
import { readStream } from './read-stream.js';
import { residentMb } from './resident-mb.js';
import type { SessionSocket } from './session-socket.js';
import {
  figureNames,
  figuresOf,
  measureStreams,
  roundsOfAll,
  type StreamFigures,
  verdictOf,
} from './stream-figures.js';

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
      TURNS_PER_ADDRESS: '1000000',
      LOCAL_MODEL_PACE_MS: String(paceMs),
      ...stores,
    },
  });
  try {
    const sessions = await openSessions(oracle.url, signerFromSeed(seed).did);
    const idleMb = residentMb(oracle.pid);
    const sockets = await openSockets(oracle.url, sessions);
    const openMb = residentMb(oracle.pid);
    const ask = (count: number) =>
      Promise.all(
        sessions.map(({ sessionId, token }) => {
          const body = { message: `count to ${count}`, stream: true };
          return readStream(`${oracle.url}/messages/${sessionId}`, headersOf(token), body, '"status":"finished"');
        }),
      );
    const figures = await measureStreams(name, oracle.pid, ask, words);
    const told = await countTold(sockets);
    for (const socket of sockets) socket.close();
    const memory = `${idleMb} MB without sockets, ${openMb} MB with them`;
    process.stdout.write(`${name}: ${told} of ${sockets.length} sockets told of the end of their turns; ${memory}\n`);
    if (told < sockets.length || !figures.isComplete) process.exitCode = 1;
    return figures;
  } finally {
    await oracle.stop();
  }
}

/** Sockets that were told of the end of every turn of their session, within a while. */
async function countTold(sockets: readonly SessionSocket[]): Promise<number> {
  const told = () => sockets.filter(({ timesTold }) => timesTold >= roundsOfAll).length;
  const deadline = Date.now() + toldWaitMs;
  while (told() < sockets.length && Date.now() < deadline) await sleep(100);
  return told();
}

async function loadFloor(): Promise<StreamFigures> {
  const floor = await startAnnouncedChild(fileURLToPath(new URL('./oracle-floor.js', import.meta.url)));
  // As many frames as a turn has, `run` and `done` among them.
  const ask = (count: number) => {
    const body = { count: count + 2, paceMs };
    const read = () => readStream(`${floor.url}/stream`, {}, body, `"content":"${body.count} "`);
    return Promise.all(Array.from({ length: streams }, read));
  };
  try {
    return await measureStreams('bare route', floor.pid, ask, words);
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
  printTable(
    figureNames,
    rows.map((figures) => figuresOf(figures, floor)),
  );
  process.stdout.write(
    `\n${rows
      .slice(1)
      .map((figures) => `${verdictOf(figures, floor)}\n`)
      .join('')}`,
  );
} finally {
  await Promise.all([redis?.stop(), postgres?.stop()]);
}
