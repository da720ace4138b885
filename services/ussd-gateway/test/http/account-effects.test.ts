import { describe, expect, it } from 'vitest';
import { accounts, effectStore, handset, pass, sessions, signUp, unavailable, useApp } from '../support/handset.js';

useApp();

describe('an effect', () => {
  it('happens once for a repeated hop, also for fifty concurrent ones', async () => {
    const user = handset();
    await user.type('2', '2', 'Amina', '00', '90210');
    const text = `${user.text()}*90210`;
    const replies = await Promise.all(Array.from({ length: 50 }, () => user.send(text)));
    expect(new Set(replies).size).toBe(1);
    expect(await accounts.listPins('', 100)).toHaveLength(1);
  });

  it('is found by a retry if the session could not be saved after it', async () => {
    const user = handset();
    await user.type('2', '2', 'Amina', '00', '90210');
    const save = sessions.save.bind(sessions);
    sessions.save = async () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    const text = `${user.text()}*90210`;
    expect(await user.send(text)).toBe(unavailable);
    sessions.save = save;
    const [customer, ...others] = await accounts.listPins('', 100);
    expect(others).toEqual([]);
    pass(4000);
    expect(await user.send(text)).toContain(`Your Customer ID: ${customer?.id}`);
    expect(await accounts.listPins('', 100)).toHaveLength(1);
  });

  it('of a wrong PIN costs one attempt, for any number of repeats of its hop', async () => {
    const id = await signUp();
    const user = handset();
    await user.type('2', '1', id);
    const text = `${user.text()}*11112`;
    const replies = await Promise.all(Array.from({ length: 20 }, () => user.send(text)));
    expect(new Set(replies)).toEqual(
      new Set(['CON Wrong Customer ID or PIN. Attempts left: 2\nEnter your PIN:\n0. Back']),
    );
    expect(await user.send(`${text}*11113`)).toContain('Attempts left: 1');
  });

  it('is not repeated by the same texts in a later dial of the same session id', async () => {
    const user = handset();
    for (const _dial of [1, 2]) {
      let text = '';
      await user.send('');
      for (const input of ['2', '2', 'Amina', '00', '90210', '90210']) {
        text = text === '' ? input : `${text}*${input}`;
        await user.send(text);
      }
      await user.send(`${text}**`);
    }
    expect(await accounts.listPins('', 100)).toHaveLength(2);
  });
});

describe('a lost session', () => {
  it('is replayed only up to the first screen of free text or a PIN', async () => {
    const id = await signUp();
    for (const text of [`2*1*${id}*90210`, `2*1*${id}*90210*1`]) {
      const user = handset();
      expect(await user.send(text)).toMatch(/^CON Your session was interrupted\.\nEnter your Customer ID/);
      expect(await user.record()).toMatchObject({ isAuthenticated: false });
    }
    expect(await handset().send('2*2*Amina*00*90210*90210')).toMatch(
      /^CON Your session was interrupted\.\nEnter your full name/,
    );
    expect(await accounts.listPins('', 100)).toHaveLength(1);
  });
});

describe('without the database', () => {
  it('menus and entries are served, an account is unavailable, and the session stays for a retry', async () => {
    const refuse = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    const begin = effectStore.begin.bind(effectStore);
    effectStore.begin = refuse;
    const user = handset();
    expect(await user.type('1', '1', '1', '2', '2', 'Amina', '00', '90210')).toMatch(/^CON Confirm your 5-digit PIN/);
    const text = `${user.text()}*90210`;
    expect(await user.send(text)).toBe(unavailable);
    expect(await user.state()).toBe('confirmPin');
    effectStore.begin = begin;
    expect(await user.send(text)).toMatch(/^CON Account created/);
  });

  it('a PIN that does not open is a fault, never a wrong PIN, and costs no attempt', async () => {
    const id = await signUp();
    const [other] = await accounts.listPins('', 1);
    const stranger = await signUp('+254700000001');
    await accounts.setPin(stranger, other?.sealedPin ?? '', 'set');
    const login = async (customer: string) => handset('+254700000001').type('2', '1', customer, '90210');
    for (let attempt = 0; attempt < 5; attempt++) expect(await login(stranger)).toBe(unavailable);
    expect(await login(id)).toMatch(/^CON Welcome/);
  });
});
