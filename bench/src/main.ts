/**
 * Measures every performance goal against its floor and its peers, as one table: `npm run bench`, or `npm run bench -- <row> ...`
 * for some rows. `profile <row>` writes a flame graph, `list` names the rows. `BENCH_KEEP=1` saves the table in
 * `results/goals.json`, `BENCH_QUICK=1` only shows that each row works.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { rest } from './measure.js';
import { reserveCore } from './process.js';
import { profileRow } from './profile.js';
import { gatewayRows } from './rows/gateway.js';
import { oracleRows } from './rows/oracle.js';
import type { Bench, Line, RowGroup } from './rows/row.js';
import { tokenRows } from './rows/token.js';
import { ussdRows } from './rows/ussd.js';
import { repositoryFile } from './services.js';
import { startStores } from './stores.js';
import { printTable } from './table.js';

const groups: readonly RowGroup[] = [ussdRows, tokenRows, oracleRows, gatewayRows];
const allRows = groups.flatMap(({ names }) => names);

const args = process.argv.slice(2);
const [command, profiled] = args;
if (command === 'list') process.stdout.write(`${allRows.join('\n')}\n`);
else if (command === 'profile' && profiled !== undefined && allRows.includes(profiled))
  await profileRow(groups, profiled);
else if (args.every((name) => allRows.includes(name))) await measureRows(args.length === 0 ? allRows : args);
else {
  process.stderr.write(`rows: ${allRows.join(', ')}\n`);
  process.exitCode = 1;
}

async function measureRows(names: readonly string[]): Promise<void> {
  const startedMs = performance.now();
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
  const loadBefore = loadavg()[0] ?? 0;
  const core = reserveCore();
  const stores = await startStores();
  const lines: Line[] = [];
  try {
    for (const group of groups) {
      const selected = group.names.filter((name) => names.includes(name));
      if (selected.length > 0)
        lines.push(...(await measureGroup(group, selected, { core, stores, placementOf: () => ({ core }) })));
    }
  } finally {
    await stores.stop();
  }
  const minutes = (performance.now() - startedMs) / 60_000;
  printTable(['', 'measured', 'x floor', 'goal, at most', ''], lines.map(cellsOf));
  const where = core === undefined ? 'not on a processor of their own' : `on processor ${core}`;
  process.stdout.write(
    `\n${machine}; services ${where}; load ${loadBefore.toFixed(1)} before; ${minutes.toFixed(1)} minutes\n`,
  );
  const file = repositoryFile(process.env['BENCH_KEEP'] === '1' ? 'bench/results/goals.json' : 'artifacts/bench.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, core, loadBefore, minutes, rows: lines }, undefined, 2)}\n`);
  process.stdout.write(`${file}\n`);
}

async function measureGroup(group: RowGroup, selected: readonly string[], bench: Bench): Promise<Line[]> {
  const opened = await group.open(bench);
  const lines: Line[] = [];
  try {
    for (const name of selected) {
      await rest();
      try {
        lines.push(...((await opened.rows[name]?.measure()) ?? []));
        process.stderr.write(`measured: ${name}\n`);
      } catch (error) {
        lines.push({ name, figure: `failed: ${String(error)}`, isMet: false, isSettled: false });
        process.exitCode = 1;
      }
    }
    return lines;
  } finally {
    await opened.close();
  }
}

function cellsOf({ name, figure, ratio, goal = '', isMet, isSettled }: Line): string[] {
  const verdict = isMet === undefined ? 'no goal' : isMet ? 'met' : 'NOT MET';
  return [
    name,
    figure,
    ratio === undefined ? '' : ratio.toFixed(2),
    goal,
    isSettled ? verdict : `${verdict} (unsettled)`,
  ];
}
