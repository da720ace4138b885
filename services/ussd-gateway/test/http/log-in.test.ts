import { describe, expect, it } from 'vitest';
import { handset, pass, signUp, useApp } from '../support/handset.js';

useApp();

describe('logging in', () => {
  it('accepts the id in any case, and shows the menu of the account', async () => {
    const id = await signUp();
    const user = handset();
    expect(await user.type('2', '1', id.toLowerCase(), '90210')).toBe(
      'CON Welcome, Amina Otieno!\n1. My details\n2. Change PIN\n3. Language\n9. Log out\n*. Exit',
    );
    expect(await user.record()).toMatchObject({ isAuthenticated: true });
    expect(await user.type('1')).toBe(
      `CON Name: Amina Otieno\nCustomer ID: ${id}\nPhone: +260971230567\nEmail: amina@example.org\n0. Back`,
    );
    expect(await user.type('0', '9')).toMatch(/^CON You are logged out\.\nAccount Menu/);
    expect(await user.record()).toMatchObject({ isAuthenticated: false });
    expect((await user.record())?.position.entries).toBeUndefined();
  });

  it('shows the attempts left, then locks, and shows the lock', async () => {
    const id = await signUp();
    const user = handset();
    expect(await user.type('2', '1', id, '11112')).toBe(
      'CON Wrong Customer ID or PIN. Attempts left: 2\nEnter your PIN:\n0. Back',
    );
    expect(await user.type('11113')).toContain('Attempts left: 1');
    const locked = 'CON Locked after too many wrong PINs. Try again in 15 min.\nEnter your PIN:\n0. Back';
    expect(await user.type('11114')).toBe(locked);
    expect(await user.type('90210')).toBe(locked);
    pass(15 * 60_000);
    expect(await handset().type('2', '1', id, '90210')).toMatch(/^CON Welcome, Amina/);
  });

  it('does not reveal whether an id exists: same screens, same attempts, same lock', async () => {
    const play = async (id: string, phone: string) => {
      const user = handset(phone);
      const replies = [];
      for (const input of ['2', '1', id, '11112', '11113', '11114', '11115']) replies.push(await user.type(input));
      return replies;
    };
    const id = await signUp();
    expect(await play('C0000000A', '+254700000001')).toEqual(await play(id, '+254700000002'));
  });

  it('returns no attempts after a redial, in any session or from any phone', async () => {
    const id = await signUp();
    await handset('+254700000001').type('2', '1', id, '11112', '0', '0', '0', '*');
    expect(await handset('+254700000002').type('2', '1', id, '11113')).toContain('Attempts left: 1');
    expect(await handset('+254700000003').type('2', '1', id, '11114')).toContain('Locked');
    expect(await handset('+254700000004').type('2', '1', id, '90210')).toContain('Locked');
  });

  it('never deletes a PIN: after the lock the right one is still accepted', async () => {
    const id = await signUp();
    await handset('+254700000001').type('2', '1', id, '11112', '11113', '11114');
    pass(15 * 60_000);
    expect(await handset().type('2', '1', id, '90210')).toMatch(/^CON Welcome/);
  });

  it('uses at most three of thirty concurrent guesses', async () => {
    const id = await signUp();
    const users = Array.from({ length: 30 }, (_, index) => handset(`+2547000000${10 + index}`));
    await Promise.all(users.map((user) => user.type('2', '1', id)));
    const replies = await Promise.all(users.map((user, index) => user.type(String(10_020 + index * 7))));
    const spent = replies.filter((reply) => /Attempts left/.test(reply)).length;
    expect(spent).toBe(2);
    expect(replies.filter((reply) => reply.includes('Locked')).length).toBe(28);
  });
});

describe('a logged-in subscriber', () => {
  it('changes the PIN, after the current one, and the old one is wrong from then on', async () => {
    const id = await signUp();
    const user = handset();
    await user.type('2', '1', id, '90210', '2');
    expect(await user.type('90210')).toBe('CON Enter your new 5-digit PIN:\n0. Back');
    expect(await user.type('22222')).toContain('one digit repeated');
    expect(await user.type('80421')).toBe('CON Confirm your new 5-digit PIN:\n0. Back');
    expect(await user.type('80422')).toMatch(/^CON The PINs did not match/);
    expect(await user.type('80421', '80421')).toMatch(/^CON Your PIN is changed\.\nWelcome, Amina/);
    expect(await handset().type('2', '1', id, '90210')).toContain('Attempts left: 2');
    expect(await handset().type('2', '1', id, '80421')).toMatch(/^CON Welcome/);
  });

  it('uses attempts for a wrong current PIN as for any other', async () => {
    const id = await signUp();
    const user = handset();
    expect(await user.type('2', '1', id, '90210', '2', '11112')).toContain('Wrong PIN. Attempts left: 2');
    await user.type('11113', '11114');
    expect(await handset().type('2', '1', id, '90210')).toContain('Locked');
    // Other phones have their own count: the right PIN is accepted there.
    expect(await handset('+254700000001').type('2', '1', id, '90210')).toContain('Welcome, Amina');
  });

  it.each([
    ['2', 'sw', 'Lugha imebadilishwa.', 'Karibu Mlango'],
    ['3', 'fr', 'La langue est changée.', 'Bienvenue chez Mlango'],
    ['1', 'en', 'The language is changed.', 'Welcome to Mlango'],
  ])('chooses language %s (%s), now and for later dials of that phone', async (key, _language, reply, welcome) => {
    const id = await signUp();
    expect(await handset().type('2', '1', id, '90210', '3', key)).toMatch(new RegExp(`^CON ${reply}\n`));
    expect(await handset().send('')).toMatch(new RegExp(`^CON ${welcome}\n`));
    expect(await handset('+254700000001').send('')).toMatch(/^CON Welcome to Mlango\n/);
  });

  it.each([
    ['2', 'Lugha imebadilishwa.', 'Karibu Mlango'],
    ['3', 'La langue est changée.', 'Bienvenue chez Mlango'],
  ])(
    'may have chosen language %s from the main menu before, for all later dials of that phone',
    async (key, reply, welcome) => {
      const menu = 'CON Choose your language:\n1. English\n2. Kiswahili\n3. Français\n0. Back';
      expect(await handset('+254700000002').type('1', '1')).toContain('send 3 in the main menu');
      const user = handset();
      expect(await user.type('3')).toBe(menu);
      expect(await user.type('0')).toMatch(/^CON Welcome to Mlango\n/);
      expect(await user.type('3', key)).toMatch(new RegExp(`^CON ${reply}\n${welcome}\n`));
      expect(await handset().send('')).toMatch(new RegExp(`^CON ${welcome}\n`));
      expect(await handset('+254700000001').send('')).toMatch(/^CON Welcome to Mlango\n/);
    },
  );

  it('is logged out by a new dial', async () => {
    const id = await signUp();
    const user = handset();
    await user.type('2', '1', id, '90210');
    expect(await user.send('')).toMatch(/^CON Welcome to Mlango/);
    expect(await user.record()).toMatchObject({ isAuthenticated: false });
  });
});
