import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { banner } from './banner.mjs';

const address = (name: string) =>
  `127.0.0.1:${{ 'ussd-gateway': 3000, 'oracle-api': 3001, 'proto-gateway': 3002, playground: 3003 }[name]}`;

describe('banner', () => {
  it('gives one curl line for each door, each a complete command for a shell', () => {
    const curls = banner(address, { token: 'OqJlcm9vdHOB+/=' }).filter((line) => line.startsWith('curl '));
    expect(curls).toHaveLength(3);
    for (const curl of curls) execFileSync('sh', ['-n', '-c', curl]);
  });

  it('names the page that shows all doors before everything else', () => {
    const [first] = banner(address, { token: 'abc' }).filter((line) => line.includes('http://'));
    expect(first?.trim()).toBe('http://127.0.0.1:3003');
  });

  it('quotes a JSON body that a shell hands over unchanged', () => {
    const dial = banner(address, { token: 'abc' }).find((line) => line.includes('/api/ussd')) ?? '';
    const echoed = execFileSync('sh', [
      '-c',
      `curl() { for word; do case $word in {*) printf %s "$word";; esac; done; }; ${dial}`,
    ]);
    expect(JSON.parse(echoed.toString())).toMatchObject({
      serviceCode: '*2233#',
      phoneNumber: '+254712345678',
      text: '',
    });
  });

  it('says why there is no token and still shows the other doors', () => {
    const lines = banner(address, { problem: 'no keys.' });
    expect(lines).toContain('No token for the chat: no keys.');
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(2);
  });
});
