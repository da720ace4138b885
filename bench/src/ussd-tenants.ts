/**
 * Twenty services on one gateway at 500 hops a second, first without changes and then with one of their flows changed every second; then a
 * flow of 1,000 screens. Takes under a minute.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child-process.js';
import { startOwnPostgres } from './own-postgres.js';
import { freePort } from './own-server.js';
import { printTable } from './print-table.js';
import { largeFlow, shippedFlow, writeFlow } from './ussd-flows.js';
import { loadAtPace } from './ussd-pace.js';

const main = fileURLToPath(new URL('../../services/ussd-gateway/dist/main.js', import.meta.url));
const tenants = 20;
const screens = 1000;
const pace = { hopsPerSecond: 500, seconds: 9 };
const warmUp = { ...pace, seconds: 3 };

const folder = mkdtempSync(join(tmpdir(), 'bench-tenants-'));
const postgres = await startOwnPostgres();
const rows: string[][] = [];
try {
  await measureTenants();
  const startedMs = await measureLargeFlow();
  printTable(['', 'hops/s', 'CPU µs a hop', 'p50 ms', 'p99 ms', 'max ms'], rows);
  process.stdout.write(`\nA flow of ${screens} screens answered ${(startedMs / 1000).toFixed(1)} s after the start.\n`);
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureTenants(): Promise<void> {
  const flows = join(folder, 'many');
  const names = Array.from({ length: tenants }, (_, index) => `t${index}`);
  const files = shippedFlow();
  for (const name of names) writeFlow(join(flows, name), files);
  const services = names.map((name, index) => `  ${name}: { codes: ['*384*${index}#'], name: Tenant ${index} }`);
  writeFileSync(join(flows, 'services.yaml'), `services:\n${services.join('\n')}\n`);
  const codeOf = (session: number) => `*384*${session % tenants}#`;
  const gateway = await started(flows);
  try {
    await loadAtPace(gateway, { ...warmUp, codeOf });
    await measure(`${tenants} services`, gateway, codeOf);
    let changes = 0;
    const changing = setInterval(() => {
      changes += 1;
      const english = files['texts/en.yaml']?.replace(/^pricing: .*$/m, `pricing: Pricing ${changes}`) ?? '';
      writeFileSync(join(flows, `t${changes % tenants}/texts/en.yaml`), english);
    }, 1000);
    await measure(`${tenants} services, a flow changes every second`, gateway, codeOf);
    clearInterval(changing);
    const served = /^ussd_flow_changes_total\{[^}]*"served"[^}]*\} (\d+)/m.exec(await read(gateway, '/metrics'))?.[1];
    const lost = (await Promise.all(names.map((name) => lostOf(gateway, name)))).reduce((sum, one) => sum + one, 0);
    process.stdout.write(`${changes} changes, served in ${served ?? 0} reloads; ${lost} sessions were lost.\n\n`);
    if (lost > 0 || Number(served ?? 0) === 0) process.exitCode = 1;
  } finally {
    await gateway.stop();
  }
}

/** Resolves with the time from the start to the first answer, in ms. */
async function measureLargeFlow(): Promise<number> {
  const flows = join(folder, 'large');
  writeFlow(join(flows, 'default'), largeFlow(screens));
  const startMs = performance.now();
  const gateway = await started(flows);
  const startedMs = performance.now() - startMs;
  try {
    await loadAtPace(gateway, warmUp);
    await measure(`a flow of ${screens} screens`, gateway);
  } finally {
    await gateway.stop();
  }
  return startedMs;
}

async function measure(name: string, gateway: Child, codeOf?: (session: number) => string): Promise<void> {
  const how = codeOf === undefined ? pace : { ...pace, codeOf };
  const { perSecond, cpuUs, p50Ms, p99Ms, maxMs } = await loadAtPace(gateway, how);
  rows.push([name, perSecond.toFixed(0), cpuUs.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), maxMs.toFixed(1)]);
}

async function started(flows: string): Promise<Child> {
  const port = await freePort();
  const limits = { RATE_LIMIT_MAX: '1000000', PIN_ENCRYPTION_KEY: 'ab'.repeat(32) };
  const database = postgres === undefined ? {} : { DATABASE_URL: postgres.url };
  const own = { PORT: String(port), DATA_DIR: `${flows}-data`, FLOWS_DIR: flows, FLOWS_RELOAD_SECONDS: '1' };
  return startChild(main, { port, healthPath: '/', env: { ...own, ...limits, ...database } });
}

/** Sessions of a service that were gone when their next hop came: it was replayed from its text, or told to dial again. */
async function lostOf(gateway: Child, service: string): Promise<number> {
  const report = JSON.parse(await read(gateway, `/api/ussd/analytics?service=${service}`)) as {
    readonly screens: readonly { readonly outcomes: { readonly replayed: number; readonly expired: number } }[];
  };
  return report.screens.reduce((sum, { outcomes }) => sum + outcomes.replayed + outcomes.expired, 0);
}

async function read({ url }: Child, path: string): Promise<string> {
  return (await fetch(`${url}${path}`)).text();
}
