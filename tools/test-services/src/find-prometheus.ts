import { delimiter } from 'node:path';
import { findIn } from './find-binaries.js';
import { realServicesRequired } from './required.js';

/** The path of Prometheus or of its promtool; undefined, after a line that says so, where there is none. Throws there where real services are required. */
export function findPrometheus(name: 'prometheus' | 'promtool'): string | undefined {
  const found = findIn((process.env['PATH'] ?? '').split(delimiter), name);
  if (found !== undefined) return found;
  const missing = `no ${name} in PATH; Debian has it in the package prometheus`;
  if (realServicesRequired()) throw new Error(`REQUIRE_REAL_SERVICES=1, but ${missing}`);
  console.log(`Skipped: tests of alert rules and dashboards (${missing})`);
  return undefined;
}
