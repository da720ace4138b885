/** USSD hops beside a bare route that answers the same bytes, at a steady pace, and those with PINs; one run. */
import { fileURLToPath } from 'node:url';
import { startAnnouncedChild } from './child-process.js';
import { printTable } from './print-table.js';
import { loadMenus, type UssdMeasurement, type UssdTarget } from './ussd-load.js';
import { loadAtPace } from './ussd-pace.js';
import { measurePins } from './ussd-pins.js';
import { startUssdServices } from './ussd-services.js';
import { learnReplies } from './ussd-sessions.js';

const rounds = 3;
const phones = 32;
const hopsPerRound = 20_000;
const pace = { hopsPerSecond: 500, seconds: 20 };
const accounts = 400;

interface Subject {
  readonly name: string;
  readonly target: UssdTarget;
  readonly measured: UssdMeasurement[];
}

const services = await startUssdServices();
const { inMemory, onRedis, database } = services;
const replies = await learnReplies(inMemory.url);
const floor = await startAnnouncedChild(fileURLToPath(new URL('./ussd-floor.js', import.meta.url)), {
  REPLIES: JSON.stringify(replies),
});
try {
  const subjects: Subject[] = [
    { name: 'bare route', target: floor, measured: [] },
    { name: 'sessions in memory', target: inMemory, measured: [] },
    ...(onRedis === undefined ? [] : [{ name: 'sessions in Redis', target: onRedis, measured: [] }]),
  ];
  for (const { target } of subjects) await loadMenus(target, { phones, hops: hopsPerRound / 2 });
  for (let round = 0; round < rounds; round++) {
    for (const { target, measured } of subjects) measured.push(await loadMenus(target, { phones, hops: hopsPerRound }));
  }
  process.stdout.write(`Menu hops, ${phones} phones at one time, accounts in ${database}:\n\n`);
  const bare = subjects[0]?.measured ?? [];
  printTable(
    ['', 'hops/s', 'of the bare route', 'CPU µs a hop', 'times the bare route', 'p99 ms'],
    subjects.map(({ name, measured }) => [
      name,
      fastest(measured).toFixed(0),
      (fastest(measured) / fastest(bare)).toFixed(2),
      cheapest(measured).toFixed(0),
      (cheapest(measured) / cheapest(bare)).toFixed(1),
      Math.min(...measured.map(({ p99Ms }) => p99Ms)).toFixed(1),
    ]),
  );

  const paced = onRedis ?? inMemory;
  const steady = await loadAtPace(paced, pace);
  const beside = onRedis === undefined ? 'sessions in memory' : 'sessions in Redis';
  process.stdout.write(
    `\nMenu hops at ${pace.hopsPerSecond} a second for ${pace.seconds} s, ${beside}, from when each was due:\n\n`,
  );
  printTable(
    ['hops/s', 'CPU µs a hop', 'p50 ms', 'p99 ms', 'max ms'],
    [
      [
        steady.hopsPerSecond.toFixed(0),
        steady.cpuUs.toFixed(0),
        steady.p50Ms.toFixed(1),
        steady.p99Ms.toFixed(1),
        steady.maxMs.toFixed(1),
      ],
    ],
  );

  await measurePins(paced, accounts / 2);
  const pins = await measurePins(paced, accounts);
  process.stdout.write(`\nHops with a PIN, 8 phones at one time, ${beside}, accounts in ${database}:\n\n`);
  printTable(
    ['', 'hops/s', 'CPU µs a hop', 'p50 ms', 'p99 ms'],
    Object.entries({ 'create an account': pins.create, 'log in': pins.logIn }).map(([name, measured]) => [
      name,
      measured.hopsPerSecond.toFixed(0),
      measured.cpuUs.toFixed(0),
      measured.p50Ms.toFixed(1),
      measured.p99Ms.toFixed(1),
    ]),
  );
} finally {
  await floor.stop();
  await services.stop();
}

/** Noise only takes away. */
function fastest(measured: readonly UssdMeasurement[]): number {
  return Math.max(...measured.map(({ hopsPerSecond }) => hopsPerSecond));
}

function cheapest(measured: readonly UssdMeasurement[]): number {
  return Math.min(...measured.map(({ cpuUs }) => cpuUs));
}
