import { describe, expect, it } from 'vitest';
import { handset, pass, signUp, useApp } from '../support/handset.js';

useApp();

const stranger = '+254700000001';

describe('a forgotten Customer ID', () => {
  it('is offered after an invalid id, and shown on its own phone after the PIN', async () => {
    const ids = [await signUp()];
    pass(1000);
    ids.push(await signUp());
    const user = handset();
    expect(await user.type('2', '1', 'C1')).toMatch(
      /^CON A Customer ID is C and 8 characters\. Forgot it\? Send 00\.\n/,
    );
    expect(await user.type('00')).toBe('CON Enter your PIN:\n0. Back');
    expect(await user.type('90210')).toBe(`CON Your Customer IDs: ${ids.toReversed().join(', ')}\n0. Back`);
    expect(await user.record()).toMatchObject({ isAuthenticated: false });
    expect(await user.type('0', ids[0] ?? '', '90210')).toMatch(/^CON Welcome/);
  });

  it('is not shown on another phone, which gets the same texts with and without accounts', async () => {
    await signUp();
    await signUp('+254700000002');
    const none = await handset(stranger).type('2', '1', '00', '60748');
    expect(none).toBe('CON Wrong PIN. Attempts left: 2\nEnter your PIN:\n0. Back');
    expect(await handset('+254700000002').type('2', '1', '00', '60748')).toBe(none);
    expect(await handset(stranger).type('2', '1', '00', '90210')).toContain('Attempts left: 1');
  });

  it('has as many attempts as a PIN: three, and then the log-in of that phone is locked too', async () => {
    const id = await signUp();
    expect(await handset().type('2', '1', '00', '11112', '11113', '11114')).toContain(
      'Locked after too many wrong PINs',
    );
    expect(await handset().type('2', '1', id, '90210')).toContain('Locked');
    pass(15 * 60_000);
    expect(await handset().type('2', '1', '00', '90210')).toContain(id);
  });
});
