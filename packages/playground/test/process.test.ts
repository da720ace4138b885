import { get } from 'node:http';
import { endPrograms, startBuilt } from '@mlango/test-services/program';
import { afterEach, describe, expect, it } from 'vitest';
import { echoService } from '../src/app.fixture.js';

const main = 'packages/playground/dist/main.js';
const settings = { PORT: '0', DRAIN_DELAY_MS: '50' };

afterEach(endPrograms);

/** Opens a stream of the oracle, and resolves once its headers have arrived. */
function openStream(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie: 'line=0b7b3a2e-8f3e-4f6e-9a55-6d1f7f0e8a11' } }, (response) => {
      response.on('error', () => {});
      response.resume();
      resolve();
    }).on('error', reject);
  });
}

describe('the process of the playground', () => {
  it('is ready without any service, serves the page in the requested compression, and ends with 0 on SIGTERM', async () => {
    const playground = await startBuilt(main, settings);
    const { address } = playground;
    expect((await fetch(`${address}/health`)).status).toBe(200);
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    const page = await fetch(address, { headers: { 'accept-encoding': 'br' } });
    expect(page.headers.get('content-encoding')).toBe('br');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
    const asset = await fetch(`${address}${script}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(asset.headers.get('content-encoding')).toBe('gzip');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(await playground.end('SIGTERM')).toBe(0);
  });

  it('ends with 0 while endless answers are open', async () => {
    const oracle = await echoService();
    const playground = await startBuilt(main, { ...settings, ORACLE_URL: oracle.url, PROTO_GATEWAY_URL: oracle.url });
    await openStream(`${playground.address}/oracle/runs/endless`);
    await openStream(`${playground.address}/chain/runs/endless?watch=1`);
    expect(await playground.end('SIGTERM')).toBe(0);
    await oracle.close();
  });

  it('has no phone in production, for any settings', async () => {
    const { address } = await startBuilt(main, { ...settings, NODE_ENV: 'production' });
    expect(await (await fetch(`${address}/settings.json`)).json()).toMatchObject({ handset: false });
    const hop = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${address}/ussd/api/ussd`, hop)).status).toBe(404);
    expect((await fetch(`${address}/metrics`)).status).toBe(404);
  });
});
