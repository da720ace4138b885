import { ussdPinCode } from '@mlango/schemas/ussd';
import { describe, expect, it } from 'vitest';
import { accounts, app, handset, lines, pass, signUp, useApp } from '../support/handset.js';

useApp();

const ownPhone = '+260971230567';
const issue = (customerId: string) => app.inject({ method: 'POST', url: `/api/ussd/customers/${customerId}/pin-code` });
const codeFor = async (customerId: string): Promise<string> => (await issue(customerId)).json().code;

describe('POST /api/ussd/customers/:customerId/pin-code', () => {
  it('returns a code once, stores it sealed, logs the requester and not the code, and needs an existing customer', async () => {
    const id = await signUp();
    const reply = await issue(id);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    const { customerId, code, lifeMinutes } = ussdPinCode.parse(reply.json());
    expect([customerId, lifeMinutes]).toEqual([id, 30]);
    expect(JSON.stringify(await accounts.findCustomer(id))).not.toContain(code);
    const log = lines.join('\n');
    expect(log).toContain('one-time PIN code issued');
    expect(log).toContain(id);
    expect(log).not.toContain(code);
    expect((await issue('C00000000')).statusCode).toBe(404);
    expect((await issue('c1')).statusCode).toBe(400);
  });
});

describe('a one-time code', () => {
  it('allows a new PIN, and a log-in only after that; the old PIN is void at once, and the code with the new one', async () => {
    const id = await signUp();
    const code = await codeFor(id);
    expect(await handset().type('2', '1', id, '90210')).toContain('Attempts left: 2');
    const user = handset();
    expect(await user.type('2', '1', id, code)).toBe('CON Enter your new 5-digit PIN:\n0. Back');
    expect(await user.record()).toMatchObject({ isAuthenticated: false });
    expect(await user.type('11111')).toContain('one digit repeated');
    expect(await user.type('60748', '60749')).toMatch(/^CON The PINs did not match/);
    expect(await user.type('60748', '60748')).toMatch(/^CON Your PIN is changed\.\nWelcome, Amina Otieno!/);
    expect(await user.record()).toMatchObject({ isAuthenticated: true, position: { account: id } });
    expect(await user.type('1')).toContain(`Customer ID: ${id}`);
    expect(await handset().type('2', '1', id, code)).toContain('Wrong Customer ID or PIN');
    expect(await handset().type('2', '1', id, '60748')).toMatch(/^CON Welcome/);
  });

  it('opens again until a PIN is chosen, for an interrupted call, and afterwards for no open call', async () => {
    const id = await signUp();
    const code = await codeFor(id);
    const [cut, other] = [handset(), handset()];
    await cut.type('2', '1', id, code, '60748');
    await other.type('2', '1', id, code, '71946', '71946');
    expect(await cut.type('60748')).toMatch(/^CON Your code is no longer valid\. Ask for a new one\.\nAccount Menu/);
    expect(await handset().type('2', '1', id, '71946')).toMatch(/^CON Welcome/);
  });

  it('is refused on any other phone, with the text of a wrong PIN', async () => {
    const id = await signUp(ownPhone);
    const code = await codeFor(id);
    expect(await handset('+254700000001').type('2', '1', id, code)).toBe(
      'CON Wrong Customer ID or PIN. Attempts left: 2\nEnter your PIN:\n0. Back',
    );
    expect(await handset(ownPhone).type('2', '1', id, code)).toContain('new 5-digit PIN');
  });

  it('ends after its lifetime, and with the next one', async () => {
    const id = await signUp();
    const first = await codeFor(id);
    const second = await codeFor(id);
    expect(await handset().type('2', '1', id, first)).toContain('Attempts left: 2');
    pass(30 * 60_000);
    expect(await handset().type('2', '1', id, second)).toContain('Attempts left: 1');
  });

  it('has three attempts, then locks; the next code lifts the lock', async () => {
    const id = await signUp();
    await codeFor(id);
    const user = handset();
    expect(await user.type('2', '1', id, '00000000', '00000001', '00000002')).toContain('Locked');
    expect(await handset().type('2', '1', id, await codeFor(id))).toContain('new 5-digit PIN');
  });
});
