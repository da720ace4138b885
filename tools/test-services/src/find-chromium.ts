import { delimiter } from 'node:path';
import { findIn } from './find-binaries.js';
import { realServicesRequired } from './required.js';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a Chromium on this machine. With `REQUIRE_REAL_SERVICES=1` a missing one is an error. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders
    .flatMap((folder) => names.map((name) => findIn([folder], name)))
    .find((path) => path !== undefined);
  if (found !== undefined) return found;
  if (realServicesRequired()) throw new Error('Chromium is required (REQUIRE_REAL_SERVICES=1) and none is in PATH');
  process.stdout.write('Skipped: tests in a browser (no Chromium in PATH)\n');
  return undefined;
}
