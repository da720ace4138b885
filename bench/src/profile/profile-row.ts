import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepOneCoreFree } from '../goals/cores.js';
import { startStores } from '../goals/start-service.js';
import { flameGraph } from './flame-graph.js';
import { type CpuProfile, foldProfile } from './fold-profile.js';
import { profiledRows } from './profiled-rows.js';

/** Writes the flame graph of a row's service while it works, warm, and prints where it is. */
export async function profileRow(name: string | undefined): Promise<void> {
  const start = profiledRows[name ?? ''];
  if (start === undefined) {
    process.stderr.write(`profile one of ${Object.keys(profiledRows).join(', ')}\n`);
    process.exitCode = 1;
    return;
  }
  const core = keepOneCoreFree();
  const folder = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const stores = await startStores();
  try {
    const nodeOptions = ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${folder}`];
    const profiled = await start(stores, { core, nodeOptions });
    await profiled.work();
    const fromUs = Number(process.hrtime.bigint() / 1000n);
    await profiled.work();
    await profiled.stop();
    const file = readdirSync(folder).find((each) => each.includes(`.${profiled.service.pid}.`));
    if (file === undefined) throw new Error('the service left no profile');
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const page = fileURLToPath(new URL(`../../../artifacts/profile-${name}.html`, import.meta.url));
    mkdirSync(join(page, '..'), { recursive: true });
    writeFileSync(page, flameGraph(`Where the time of "${name}" goes`, foldProfile(profile, fromUs)));
    process.stdout.write(`${page}\n`);
  } finally {
    await stores.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
