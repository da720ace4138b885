import { describe, expect, it } from 'vitest';
import type { EntryScreen, Flow, MenuScreen, Query, Screen } from '../flow.js';
import { checkFlow } from './check-flow.fixture.js';

const facts = { appName: 'Mlango' };
const findName: Query = {
  kind: 'query',
  results: { found: { name: ['W'.repeat(40)] }, unknown: {} },
  run: async () => ({ result: 'unknown' }),
};
const start: MenuScreen = { kind: 'menu', lines: ['hello'], options: [{ key: '1', to: 'idEntry' }], navigation: [] };
const idEntry: EntryScreen = {
  kind: 'entry',
  lines: ['enterId'],
  options: [],
  navigation: [{ key: '0', to: 'start' }],
  entry: {
    name: 'id',
    secret: false,
    rule: { refusals: [], read: (typed) => ({ value: typed }) },
    longest: ['W'],
    refusals: {},
    next: { effect: 'findName', results: { found: { to: 'found' }, unknown: { reason: 'unknown' } } },
  },
};
const found: MenuScreen = {
  kind: 'menu',
  lines: ['foundName'],
  options: [{ key: '1', to: 'idEntry' }],
  navigation: [],
  carries: ['name'],
};
const texts = {
  hello: 'Hello {appName}',
  enterId: 'Enter an id:',
  unknown: 'There is none.',
  foundName: 'Its name: {name}',
  bye: 'Bye',
  wrongChoice: 'No',
  more: 'More',
  previous: 'Previous',
};
const flow: Flow = {
  id: 'tiny',
  version: 1,
  start: 'start',
  exit: 'bye',
  screens: { start, idEntry, found, bye: { kind: 'closing', lines: ['bye'] } },
  texts: { en: texts },
  defaultLanguage: 'en',
  operations: { findName },
};
const withScreens = (screens: Record<string, Screen>): Flow => ({ ...flow, screens: { ...flow.screens, ...screens } });
const withQuery = (change: Partial<Query>): Flow => ({ ...flow, operations: { findName: { ...findName, ...change } } });
const { operations: _without, ...withoutQueries } = flow;

const webhook = { webhook: 'names', operation: 'findName', sends: ['id'], gives: { found: { name: 40 } } };

describe('a flow with a chain query', () => {
  it('is sound with its query, landings and facts', () => expect(checkFlow(flow, facts)).toEqual([]));

  it.each<[string, Flow, string]>([
    ['the query', withoutQueries, 'idEntry: "findName" is no operation of this flow'],
    ['a landing', withQuery({ results: { ...findName.results, many: {} } }), 'findName has no landing for "many"'],
    ['the text', { ...flow, texts: { en: { ...texts, unknown: '' }, sw: {} } }, 'texts.sw: "unknown" is missing'],
    ['the longest value', withQuery({ results: { found: {}, unknown: {} } }), 'names the unknown fact "name"'],
    [
      'keeping a fact',
      withScreens({ found: { ...found, carries: [] } }),
      'idEntry: leads to "found", which prints "name", without it',
    ],
    [
      'a fact on one of the paths',
      withScreens({ start: { ...start, options: [...start.options, { key: '2', to: 'found' }] } }),
      'start: leads to "found", which prints "name", without it',
    ],
  ])('is refused without %s', (_what, forgetful, problem) => {
    expect(checkFlow(forgetful, facts)).toContainEqual(expect.stringContaining(problem));
  });

  it.each<[string, Flow, string]>([
    [
      'prints more than a phone shows',
      withQuery({ results: { found: { name: ['W '.repeat(2000)] }, unknown: {} } }),
      'more than 12 pages',
    ],
    [
      'passes a secret on',
      withScreens({ idEntry: { ...idEntry, entry: { ...idEntry.entry, secret: true } } }),
      'hands a secret to the query "findName"',
    ],
    [
      'passes a secret to an external act',
      {
        ...withScreens({ idEntry: { ...idEntry, entry: { ...idEntry.entry, secret: true } } }),
        operations: { findName: { kind: 'act', results: findName.results, call: webhook } },
      },
      'hands a secret to the act "findName"',
    ],
    [
      'lets an external operation log in',
      {
        ...withScreens({ found: { ...found, authenticated: true } }),
        operations: { findName: { kind: 'act', results: findName.results, call: webhook } },
      },
      'leads to the authenticated screen "found" without an act or a check',
    ],
    [
      'leads to an authenticated screen without a log-in',
      withScreens({ found: { ...found, authenticated: true } }),
      'leads to the authenticated screen "found" without an act or a check',
    ],
    [
      'prints a fact that is not found yet',
      withScreens({ start: { ...start, lines: ['foundName'], carries: ['name'] } }),
      'start: a dial does not have the fact "name"',
    ],
  ])('is refused when it %s', (_what, wrong, problem) => {
    expect(checkFlow(wrong, facts)).toContainEqual(expect.stringContaining(problem));
  });
});
