import type { At, Details, Place } from './places.js';

/** A printed screen: its text, and the lines on every page of it. */
export interface Printed {
  readonly lines: readonly string[];
  readonly foot: readonly string[];
}

const back = '0. Back';
const exit = '*. Exit';

const topics = {
  1: 'Mlango brings our services to any phone: no internet, no app, no data bundle. Other languages: send 3 in the main menu.',
  2: 'Dialling this code and reading these menus is free. Whatever costs money shows its price before you confirm.',
  3: 'Orders are sent to the collection point nearest to you. We send an SMS when yours is ready to collect.',
};

const question = (line: string) => () => ({ lines: [line], foot: [back] });

const languages = () => ({
  lines: ['Choose your language:', '1. English', '2. Kiswahili', '3. Français'],
  foot: [back],
});

const screens: { readonly [Here in At]: (details: Details[Here], phone: string) => Printed } = {
  preMenu: () => ({ lines: ['Welcome to Mlango', '1. Know More', '2. Account Menu'], foot: [exit] }),
  knowMore: () => ({
    lines: ['Information Center', '1. About this service', '2. Pricing', '3. Delivery'],
    foot: [exit],
  }),
  infoTopic: ({ topic }) => ({ lines: [topics[topic]], foot: ['1. Back to Main Menu', back] }),
  accountMenu: () => ({
    lines: ['Account Menu', 'Do you have an existing account?', '1. Yes, log me in', '2. No, create my account'],
    foot: [back],
  }),
  nameEntry: question('Enter your full name:'),
  emailEntry: () => ({ lines: ['Enter your email address (optional):', '00. Skip'], foot: [back] }),
  pinEntry: question('Create a 5-digit PIN for your account:'),
  confirmPin: question('Confirm your 5-digit PIN:'),
  accountCreated: ({ account }) => ({
    lines: [
      'Account created successfully!',
      `Your Customer ID: ${account.id}`,
      'Save your Customer ID to access services.',
    ],
    foot: ['1. Back to Account Menu'],
  }),
  customerIdEntry: question('Enter your Customer ID to log in:'),
  loginPin: question('Enter your PIN:'),
  forgottenId: question('Enter your PIN:'),
  foundIds: ({ accounts }) => ({
    lines: [`Your Customer IDs: ${accounts.map(({ id }) => id).join(', ')}`],
    foot: [back],
  }),
  userMenu: ({ account }) => ({
    lines: [`Welcome, ${account.name}!`, '1. My details', '2. Change PIN', '3. Language'],
    foot: ['9. Log out', exit],
  }),
  myDetails: ({ account }, phone) => ({
    lines: [`Name: ${account.name}`, `Customer ID: ${account.id}`, `Phone: ${phone}`, `Email: ${account.email}`],
    foot: [back],
  }),
  currentPin: question('Enter your current PIN:'),
  newPin: question('Enter your new 5-digit PIN:'),
  confirmNewPin: question('Confirm your new 5-digit PIN:'),
  languageMenu: languages,
  openLanguageMenu: languages,
  closed: () => ({ lines: ['Thank you for using Mlango. Goodbye!'], foot: [] }),
};

/** All places. */
export const screenNames: readonly string[] = Object.keys(screens);

/** Text of a place in English. */
export function print<Here extends At>(place: Place<Here>, phone: string): Printed {
  return screens[place.at](place, phone);
}
