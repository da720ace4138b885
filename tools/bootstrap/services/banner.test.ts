import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { banner } from './banner.mjs';

const address = (name: string) =>
  `127.0.0.1:${{ 'ussd-gateway': 3000, 'oracle-api': 3001, 'proto-gateway': 3002, playground: 3003 }[name]}`;

describe('banner', () => {
  it('prints commands that a shell parses, one per service', () => {
    const commands = banner(address).filter((line) => /^(curl|TOKEN=|SESSION=)/.test(line));
    execFileSync('sh', ['-n', '-c', commands.join('\n')]);
    for (const port of [3000, 3001, 3002]) expect(commands.join('\n')).toContain(`127.0.0.1:${port}/`);
  });

  it('contains no token: a command makes one', () => {
    const lines = banner(address);
    expect(lines).toContain('TOKEN=$(npm run -s token)');
    expect(lines.filter((line) => /\w{80}/.test(line))).toEqual([]);
  });

  it('shows the address of the playground first', () => {
    const [first] = banner(address).filter((line) => line.includes('http://'));
    expect(first?.trim()).toBe('http://127.0.0.1:3003');
  });

  it('quotes the JSON body for a shell', () => {
    const dial = banner(address).find((line) => line.includes('/api/ussd')) ?? '';
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
});
