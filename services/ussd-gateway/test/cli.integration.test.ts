import { randomBytes } from 'node:crypto';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand } from './support/run-command.js';
import { endServices, type ServiceProcess, startService } from './support/service-process.js';
import { everythingInPostgres, untilAcknowledged } from './support/stored-text.js';

afterEach(endServices);

const [oldKey, newKey] = ['a passphrase of 32 characters...', randomBytes(32).toString('hex')];

async function type(service: ServiceProcess, sessionId: string, inputs: readonly string[]): Promise<string> {
  let text = '';
  let reply = await service.hop(text, { sessionId });
  for (const input of inputs) {
    text = text === '' ? input : `${text}*${input}`;
    reply = await service.hop(text, { sessionId });
  }
  return reply;
}

describe.skipIf(postgresUrl === undefined)('the commands, during a running service', () => {
  it('lift a lock, and seal all PINs under the current key so that the old one can be removed', async () => {
    const { url, drop } = await freshDatabase();
    try {
      const before = { DATABASE_URL: url, PIN_ENCRYPTION_KEY: oldKey };
      const service = await startService(before);
      const created = await type(service, 'sign-up', ['2', '2', 'Amina', '00', '90210', '90210']);
      const id = /C[0-9A-Z]{8}/.exec(created)?.[0] ?? '';
      await untilAcknowledged(url);
      expect(await type(service, 'wrong', ['2', '1', id, '11112', '11113', '11114'])).toContain('Locked');
      expect(await runCommand(['unlock', 'C00000000'], before)).toEqual({
        code: 1,
        output: 'there is no customer C00000000\n',
      });
      expect(await runCommand(['unlock', id.toLowerCase()], before)).toEqual({
        code: 0,
        output: `${id} is unlocked\n`,
      });
      expect(await type(service, 'right', ['2', '1', id, '90210'])).toMatch(/^CON Welcome, Amina!/);

      const forgotten = await runCommand(['pin-code', id], before);
      expect(forgotten).toMatchObject({
        code: 0,
        output: expect.stringContaining('for 30 minutes, only from the phone of this account'),
      });
      const code = /^([0-9]{8}) is valid/m.exec(forgotten.output)?.[1] ?? '';
      expect(forgotten.output.split(code)).toHaveLength(2);
      expect(forgotten.output).toContain('one-time PIN code issued');
      expect(await runCommand(['pin-code', 'C00000000'], before)).toMatchObject({ code: 1 });
      expect(await type(service, 'void', ['2', '1', id, '90210'])).toContain('Wrong');
      expect(await type(service, 'code', ['2', '1', id, code, '90210', '90210'])).toMatch(/^CON Your PIN is changed/);
      await untilAcknowledged(url);

      const withoutKey = await runCommand(['reseal-pins'], { DATABASE_URL: url, PIN_ENCRYPTION_KEY: newKey });
      expect(withoutKey).toEqual({
        code: 1,
        output: `0 of 1 PINs sealed again, 1 could not be opened\nnot opened: ${id}\n`,
      });
      const rotated = { DATABASE_URL: url, PIN_ENCRYPTION_KEY: newKey, PIN_ENCRYPTION_KEYS_OLD: oldKey };
      const resealed = await runCommand(['reseal-pins'], rotated);
      expect(resealed).toEqual({ code: 0, output: '1 of 1 PINs sealed again, 0 could not be opened\n' });
      const after = await startService({ DATABASE_URL: url, PIN_ENCRYPTION_KEY: newKey });
      expect(await type(after, 'after', ['2', '1', id, '90210'])).toMatch(/^CON Welcome, Amina!/);
      await endServices();
    } finally {
      await drop();
    }
  }, 60_000);
});

describe.skipIf(postgresUrl === undefined)('the data of a subscriber', () => {
  it('are exported as JSON without the PIN, and deleted, those of the phone with its last account', async () => {
    const { url, drop } = await freshDatabase();
    try {
      const env = { DATABASE_URL: url, PIN_ENCRYPTION_KEY: newKey };
      const service = await startService(env);
      const idIn = (reply: string) => /C[0-9A-Z]{8}/.exec(reply)?.[0] ?? '';
      const first = idIn(await type(service, 'one', ['2', '2', 'Amina', 'amina@example.org', '90210', '90210']));
      await untilAcknowledged(url);
      const second = idIn(await type(service, 'two', ['2', '2', 'Amina Two', '00', '60748', '60748']));
      await untilAcknowledged(url);
      await type(service, 'language', ['2', '1', first, '11112', '90210', '3', '2']);
      await untilAcknowledged(url);
      await type(service, 'wrong', ['2', '1', first, '11112']);
      expect(await runCommand(['delete-phone', '+260971230567'], env)).toEqual({
        code: 1,
        output: expect.stringMatching(
          /^\+260971230567: nothing removed, delete-customer comes first for its accounts: C.{8}, C.{8}\n$/,
        ),
      });
      const exported = await runCommand(['export-customer', first], env);
      expect(exported.code).toBe(0);
      expect(JSON.parse(exported.output)).toMatchObject({
        customer: { id: first, fullName: 'Amina', email: 'amina@example.org', phone: '+260971230567', codeUntil: null },
        phone: { language: 'sw' },
        attempts: [{ outcome: 'wrong' }, { outcome: 'right' }, { outcome: 'wrong' }],
        counts: expect.arrayContaining([expect.objectContaining({ subject: `owner:${first}`, wrong: 1 })]),
      });
      expect(exported.output).not.toMatch(/90210|s1\.|[Kk]ey|Two/);

      const removed = (accounts: number, attempts: number, counts: number, effects: number, phones: number) =>
        `removed ${accounts} account, ${attempts} attempts, ${counts} counts of wrong PINs, ${effects} effects, ${phones} phone with its language\n`;
      const remove = async (id: string) => (await runCommand(['delete-customer', id], env)).output;
      expect(await remove(first)).toBe(`${first}: ${removed(1, 3, 1, 3, 0)}`);
      expect(await remove(first)).toBe(`${first}: ${removed(0, 0, 0, 0, 0)}`);
      expect(await runCommand(['export-customer', first], env)).toEqual({
        code: 1,
        output: `there is no customer ${first}\n`,
      });
      expect(await type(service, 'other', ['2', '1', second, '60748'])).toContain('Amina Two');
      expect(await remove(second)).toBe(`${second}: ${removed(1, 1, 1, 0, 1)}`);
      expect((await everythingInPostgres(url)).join()).not.toMatch(/260971230567|Amina/);
      await endServices();
    } finally {
      await drop();
    }
  }, 60_000);
});
