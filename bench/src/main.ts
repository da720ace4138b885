/**
 * Every goal of speed beside what this machine makes of it, as a table and as JSON; `profile <row>` writes a flame graph instead.
 * `BENCH_KEEP=1` keeps the JSON in `results/goals.json`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepOneCoreFree } from './goals/cores.js';
import { hopRows } from './goals/hop-rows.js';
import { queryRows } from './goals/query-rows.js';
import { cellsOf, type Row } from './goals/row.js';
import { startStores } from './goals/start-service.js';
import { tokenRows } from './goals/token-rows.js';
import { turnRows } from './goals/turn-rows.js';
import { printTable } from './print-table.js';
import { profileRow } from './profile/profile-row.js';

const [command, row] = process.argv.slice(2);
if (command === 'profile') await profileRow(row);
else await measureGoals();

async function measureGoals(): Promise<void> {
  const startedMs = performance.now();
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown kind'}, Node ${process.versions.node}`;
  const loadBefore = loadavg()[0] ?? 0;
  const core = keepOneCoreFree();
  const stores = await startStores();
  const rows: Row[] = [];
  try {
    rows.push(...(await queryRows({ core })));
    process.stderr.write('measured: queries\n');
    rows.push(...(await hopRows(stores, { core })));
    process.stderr.write('measured: hops\n');
    rows.push(...(await tokenRows({ core })));
    process.stderr.write('measured: tokens\n');
    rows.push(...(await turnRows(stores, { core })));
  } finally {
    await stores.stop();
  }
  const minutes = (performance.now() - startedMs) / 60_000;
  printTable(['', 'measured', 'times the bare', 'goal', ''], rows.map(cellsOf));
  const where = core === undefined ? 'on no core of their own' : `on core ${core}`;
  const load = `${loadBefore.toFixed(1)} before it`;
  process.stdout.write(`\n${machine}; services ${where}; load ${load}; ${minutes.toFixed(1)} minutes\n`);
  const [kept, last] = ['../results/goals.json', '../../artifacts/bench.json'];
  const file = fileURLToPath(new URL(process.env['BENCH_KEEP'] === '1' ? kept : last, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, core, loadBefore, minutes, rows }, undefined, 2)}\n`);
  process.stdout.write(`${file}\n`);
}
