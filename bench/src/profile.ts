import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reserveCore } from './process.js';
import type { RowGroup } from './rows/row.js';
import { repositoryFile } from './services.js';
import { startStores } from './stores.js';

/** Runs the work of a row twice with its service under 0x, and prints the path of the flame graph. */
export async function profileRow(groups: readonly RowGroup[], name: string): Promise<void> {
  const group = groups.find(({ names }) => names.includes(name));
  const output = repositoryFile(`artifacts/profile-${name}`);
  const logs = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const core = reserveCore();
  const command = createRequire(import.meta.url).resolve('0x/cmd.js');
  const wrapper = [command, '--output-dir', output, '--working-dir', logs, '--name', name, '--', process.execPath];
  const stores = await startStores();
  try {
    const placementOf = (row: string) => ({ core, wrapper: row === name ? wrapper : undefined });
    const opened = await group?.open({ core, stores, placementOf });
    try {
      const profile = opened?.rows[name]?.profile;
      if (profile === undefined) throw new Error(`${name} has nothing to profile`);
      await profile.work();
      await profile.work();
    } finally {
      // 0x ends the service, and itself when the flame graph is written.
      await opened?.close();
    }
    process.stdout.write(`${join(output, readdirSync(output).find((file) => file.endsWith('.html')) ?? '')}\n`);
  } finally {
    await stores.stop();
    rmSync(logs, { recursive: true, force: true });
  }
}
