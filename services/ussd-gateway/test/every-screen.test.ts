import { describe, expect, it } from 'vitest';
import { defaultFlow } from '../src/flows/default-flow.fixture.js';
import { app, handset, signUp, useApp } from './support/handset.js';

/** A path to each screen; `<id>` is the Customer ID of an account with PIN 90210, `<code>` a one-time code. */
const ways: Readonly<Record<string, readonly string[]>> = {
  preMenu: [],
  openLanguageMenu: ['3'],
  knowMore: ['1'],
  infoTopic: ['1', '2'],
  accountMenu: ['2'],
  nameEntry: ['2', '2'],
  emailEntry: ['2', '2', 'Amina'],
  pinEntry: ['2', '2', 'Amina', '00'],
  confirmPin: ['2', '2', 'Amina', '00', '60748'],
  accountCreated: ['2', '2', 'Amina', '00', '60748', '60748'],
  customerIdEntry: ['2', '1'],
  forgottenId: ['2', '1', '00'],
  foundIds: ['2', '1', '00', '90210'],
  loginPin: ['2', '1', '<id>'],
  resetPin: ['2', '1', '<id>', '<code>'],
  confirmResetPin: ['2', '1', '<id>', '<code>', '60748'],
  userMenu: ['2', '1', '<id>', '90210'],
  myDetails: ['2', '1', '<id>', '90210', '1'],
  currentPin: ['2', '1', '<id>', '90210', '2'],
  newPin: ['2', '1', '<id>', '90210', '2', '90210'],
  confirmNewPin: ['2', '1', '<id>', '90210', '2', '90210', '60748'],
  languageMenu: ['2', '1', '<id>', '90210', '3'],
};

/** Screen after a wrong second PIN; all other wrong inputs stay. */
const afterWrong: Readonly<Record<string, string>> = {
  confirmPin: 'pinEntry',
  confirmNewPin: 'newPin',
  confirmResetPin: 'resetPin',
};

/** A handset on a screen, and the text of that screen. */
async function stand(state: string) {
  const id = await signUp();
  const user = handset();
  const known: Record<string, string> = { '<id>': id };
  if (ways[state]?.includes('<code>') === true) {
    const issued = await app.inject({ method: 'POST', url: `/api/ussd/customers/${id}/pin-code` });
    known['<code>'] = issued.json().code;
  }
  const way = (ways[state] ?? []).map((input) => known[input] ?? input);
  const screen = way.length === 0 ? await user.send('') : await user.type(...way);
  expect(await user.state()).toBe(state);
  return { user, screen };
}

useApp();

it('every screen that a dial can reach is tested in this file', () => {
  // The resume offer needs an earlier session, the waiting screen a slow effect, and a closing screen takes no input.
  const otherScreens = ['closed', 'resumeOffer', 'working'];
  const reachable = Object.keys(defaultFlow.screens).filter((state) => !otherScreens.includes(state));
  expect(Object.keys(ways).toSorted()).toEqual(reachable.toSorted());
});

describe.each(Object.keys(ways))('on %s', (state) => {
  it('a single star replies with END and ends the session', async () => {
    const { user } = await stand(state);
    expect(await user.type('*')).toBe('END Thank you for using Mlango. Goodbye!');
    expect(await user.record()).toBeUndefined();
  });

  it('a wrong input repeats a screen with the reason as first line, and ends no session', async () => {
    const { user, screen } = await stand(state);
    const reply = await user.type('77#77');
    const [reason = '', ...rest] = reply.replace(/^CON /, '').split('\n');
    expect(reply).toMatch(/^CON /);
    expect(reason).toMatch(/\.$/);
    expect(await user.state()).toBe(afterWrong[state] ?? state);
    if (afterWrong[state] === undefined && !reply.includes('98. More')) expect(`CON ${rest.join('\n')}`).toBe(screen);
  });
});
