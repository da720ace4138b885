import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedFlows } from '../src/flows/read-flow.js';
import { endServices, noDatabase, postHop, type ServiceProcess, startService } from './support/service-process.js';

describe('a folder of flows that changes during a running gateway', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ussd-flow-changes-'));
  const english = join(folder, 'default/texts/en.yaml');
  let service: ServiceProcess;
  let dials = 0;

  beforeAll(async () => {
    cpSync(shippedFlows, folder, { recursive: true });
    service = await startService({ ...noDatabase, FLOWS_DIR: folder, FLOWS_RELOAD_SECONDS: '1' });
  });
  afterAll(async () => {
    await endServices();
    rmSync(folder, { recursive: true, force: true });
  });

  const change = (from: string | RegExp, to: string) =>
    writeFileSync(english, readFileSync(english, 'utf8').replace(from, to));
  const dial = () => postHop(service.base, '', { sessionId: `dial-${++dials}`, phoneNumber: '+254711000009' });
  const changes = async (outcome: string) => {
    const text = await (await fetch(`${service.base}/metrics`)).text();
    return Number(new RegExp(`^ussd_flow_changes_total\\{[^}]*"${outcome}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  };

  it('serves new texts to new dials, and old ones to running sessions', async () => {
    const caller = { sessionId: 'under-way', phoneNumber: '+254711000001' };
    expect(await postHop(service.base, '', caller)).toMatch(/^CON Welcome to Mlango\n/);
    change('Welcome to {appName}', 'Hello from {appName}');
    change('Information Center', 'All about us');
    await expect.poll(dial, { timeout: 60_000 }).toMatch(/^CON Hello from Mlango\n/);
    expect(await postHop(service.base, '1', caller)).toMatch(/^CON Information Center\n/);
    expect(await postHop(service.base, '1*0', caller)).toMatch(/^CON Welcome to Mlango\n/);
    expect(await changes('served')).toBe(1);
  });

  it('keeps the last sound flow for a file that is not UTF-8, and names the file', async () => {
    const sound = readFileSync(english);
    writeFileSync(english, readFileSync(english, 'latin1').replace('All about us', 'Été'), 'latin1');
    await expect.poll(() => changes('refused'), { timeout: 60_000 }).toBe(1);
    expect(await dial()).toMatch(/^CON Hello from Mlango\n/);
    expect(service.output()).toMatch(/texts\/en\.yaml:\d+ is not UTF-8: save the file as UTF-8/);
    writeFileSync(english, sound);
  });

  it('changes nothing for an unsound flow, and logs the reason', async () => {
    change(/^pricing:.*\n/m, '');
    await expect.poll(() => changes('refused'), { timeout: 60_000 }).toBe(2);
    expect(await dial()).toMatch(/^CON Hello from Mlango\n/);
    expect(service.output()).toContain(`${english}:2 texts.en: \\"pricing\\" is missing`);
  });
});
