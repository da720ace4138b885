import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a Chromium on this machine. With `REQUIRE_REAL_SERVICES=1` a missing one is an error. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
  if (found === undefined && process.env['REQUIRE_REAL_SERVICES'] === '1') {
    throw new Error('Chromium is required (REQUIRE_REAL_SERVICES=1) and none is in PATH');
  }
  if (found === undefined) process.stdout.write('Skipped: tests in a browser (no Chromium in PATH)\n');
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
