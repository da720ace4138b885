import { describe, expect, it } from 'vitest';
import { handset, pass, signUp, useApp } from '../support/handset.js';

useApp();

describe('the account screens', () => {
  it.each<[readonly string[], string, string]>([
    [
      ['2'],
      'accountMenu',
      'Account Menu\nDo you have an existing account?\n1. Yes, log me in\n2. No, create my account\n0. Back',
    ],
    [['2', '2'], 'nameEntry', 'Enter your full name:\n0. Back'],
    [['2', '2', 'Amina Otieno'], 'emailEntry', 'Enter your email address (optional):\n00. Skip\n0. Back'],
    [['2', '2', 'Amina Otieno', '00'], 'pinEntry', 'Create a 5-digit PIN for your account:\n0. Back'],
    [['2', '2', 'Amina Otieno', 'a@b.co'], 'pinEntry', 'Create a 5-digit PIN for your account:\n0. Back'],
    [['2', '2', 'Amina Otieno', '00', '90210'], 'confirmPin', 'Confirm your 5-digit PIN:\n0. Back'],
    [['2', '1'], 'customerIdEntry', 'Enter your Customer ID to log in:\n0. Back'],
    [['2', '1', 'c0000000a'], 'loginPin', 'Enter your PIN:\n0. Back'],
  ])('after %j is %s', async (inputs, state, screen) => {
    const user = handset();
    expect(await user.type(...inputs)).toBe(`CON ${screen}`);
    expect(await user.state()).toBe(state);
  });

  it.each<[readonly string[], string | undefined]>([
    [['2', '0'], 'preMenu'],
    [['2', '2', '0'], 'accountMenu'],
    [['2', '2', 'Amina', '0'], 'nameEntry'],
    [['2', '2', 'Amina', '00', '0'], 'emailEntry'],
    [['2', '2', 'Amina', '00', '90210', '0'], 'pinEntry'],
    [['2', '1', '0'], 'accountMenu'],
    [['2', '1', 'C0000000A', '0'], 'customerIdEntry'],
  ])('0 after %j goes back to %s', async (inputs, state) => {
    const user = handset();
    await user.type(...inputs);
    expect(await user.state()).toBe(state);
  });

  it.each([
    [['2']],
    [['2', '2']],
    [['2', '2', 'Amina']],
    [['2', '2', 'Amina', '00']],
    [['2', '2', 'Amina', '00', '90210']],
    [['2', '2', 'Amina', '00', '90210', '90210']],
    [['2', '1']],
    [['2', '1', 'C0000000A']],
  ])('* after %j ends the session', async (inputs) => {
    const user = handset();
    expect(await user.type(...inputs, '*')).toBe('END Thank you for using Mlango. Goodbye!');
    expect(await user.record()).toBeUndefined();
  });

  it('creates an account, shows its id, and returns to the account menu', async () => {
    const user = handset();
    const reply = await user.type('2', '2', 'Amina Otieno', '00', '90210', '90210');
    expect(reply).toMatch(
      /^CON Account created successfully!\nYour Customer ID: C[0-9A-HJKMNP-TV-Z]{8}\nSave your Customer ID to access services\.\n1\. Back to Account Menu$/,
    );
    expect(await user.type('7')).toBe(reply.replace('CON ', 'CON Invalid choice. Please try again.\n'));
    expect(await user.type('1')).toMatch(/^CON Account Menu/);
  });

  it.each<[string, readonly string[], string, string]>([
    ['a name of one letter', ['2', '2', 'A'], 'A name has 2 to 100 characters.', 'nameEntry'],
    ['a name of digits', ['2', '2', '12'], "A name has letters, spaces, ' - . only.", 'nameEntry'],
    ['an address without @', ['2', '2', 'Amina', 'amina'], 'That is not an email address.', 'emailEntry'],
    ['a PIN of four digits', ['2', '2', 'Amina', '00', '9021'], 'A PIN has exactly 5 digits.', 'pinEntry'],
    ['a PIN with a letter', ['2', '2', 'Amina', '00', '9021o'], 'A PIN has exactly 5 digits.', 'pinEntry'],
    ['a repeated PIN', ['2', '2', 'Amina', '00', '77777'], 'Too easy to guess: one digit repeated.', 'pinEntry'],
    ['a rising run of digits', ['2', '2', 'Amina', '00', '12345'], 'Too easy to guess: digits in a row.', 'pinEntry'],
    ['a falling run of digits', ['2', '2', 'Amina', '00', '54321'], 'Too easy to guess: digits in a row.', 'pinEntry'],
    [
      'the end of the phone number as PIN',
      ['2', '2', 'Amina', '00', '30567'],
      'Too easy to guess: it ends your number.',
      'pinEntry',
    ],
    [
      'a different second PIN',
      ['2', '2', 'Amina', '00', '90210', '90211'],
      'The PINs did not match. Start again.',
      'pinEntry',
    ],
    [
      'an invalid id',
      ['2', '1', 'C123'],
      'A Customer ID is C and 8 characters. Forgot it? Send 00.',
      'customerIdEntry',
    ],
    ['an invalid PIN', ['2', '1', 'C0000000A', 'x'], 'A PIN has exactly 5 digits.', 'loginPin'],
  ])('shows the reason for %s on the first line, and continues', async (_name, inputs, reason, state) => {
    const user = handset();
    const [first, second] = (await user.type(...inputs)).split('\n');
    expect(first).toBe(`CON ${reason}`);
    expect(second).not.toBe('');
    expect(await user.state()).toBe(state);
  });

  it.each(['Zoë Ngũgĩ', 'أمينة', 'Nguyễn Thị Hoa', "N'Golo Kanté-Smith Jr.", '王小明', 'back', 'exit', 'cancel'])(
    'accepts the name %s',
    async (name) => {
      const user = handset();
      await user.type('2', '2', name);
      expect(await user.state()).toBe('emailEntry');
    },
  );

  it('allows three new accounts per phone and day, refuses the fourth, and allows other phones', async () => {
    for (const _account of [1, 2, 3]) await signUp();
    const user = handset();
    const reply = await user.type('2', '2', 'Amina', '00', '90210', '90210');
    expect(reply).toMatch(/^CON No more new accounts from this phone today\.\nAccount Menu\n/);
    expect(await user.state()).toBe('accountMenu');
    await signUp('+254700000001');
    pass(24 * 3_600_000);
    await signUp();
  });

  it('reads the separator at the end of a name as an empty input, and stays', async () => {
    const user = handset();
    await user.type('2', '2', 'Amina');
    expect(await user.send(`${user.text()}*`)).toMatch(/^CON That is not an email address\.\nEnter your email/);
    expect(await user.state()).toBe('emailEntry');
  });
});
