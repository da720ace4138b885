import { describe, expect, it } from 'vitest';
import type { Check, EntryScreen, Flow, MenuScreen } from '../flow.js';
import { checkFlow } from './check-flow.fixture.js';

const facts = { appName: 'Mlango' };
const start: MenuScreen = {
  kind: 'menu',
  lines: ['hello'],
  options: [{ key: '1', label: 'next', to: 'next' }],
  navigation: [{ key: '*', label: 'exit', to: 'bye' }],
};
const next: MenuScreen = {
  kind: 'menu',
  lines: ['hello'],
  options: [],
  navigation: [{ key: '0', label: 'back', to: 'start' }],
};
const texts = {
  hello: 'Hello {appName}',
  next: 'Next',
  back: 'Back',
  exit: 'Exit',
  bye: 'Bye',
  wrongChoice: 'No',
  more: 'More',
  previous: 'Previous',
};
const sound: Flow = {
  id: 'tiny',
  version: 1,
  start: 'start',
  exit: 'bye',
  screens: { start, next, bye: { kind: 'closing', lines: ['bye'] } },
  texts: { en: texts },
  defaultLanguage: 'en',
};
const withStart = (change: Partial<MenuScreen>): Flow => ({
  ...sound,
  screens: { ...sound.screens, start: { ...start, ...change } },
});
const withTexts = (change: Record<string, string>): Flow => ({ ...sound, texts: { en: { ...texts, ...change } } });

describe('a flow', () => {
  it('has no problems if it is sound', () => expect(checkFlow(sound, facts)).toEqual([]));

  it.each<[string, Flow, string]>([
    [
      'an unknown target',
      withStart({ options: [{ key: '1', label: 'next', to: 'nowhere' }] }),
      'key 1 leads to "nowhere"',
    ],
    [
      'an unreachable screen',
      withStart({ options: [{ key: '1', label: 'next', to: 'start' }] }),
      'next: no key leads here',
    ],
    ['a resume offer that is no menu', { ...sound, resumeOffer: 'bye' }, 'resumeOffer: "bye" is not a menu'],
    ['a resume offer without a resuming key', { ...sound, resumeOffer: 'next' }, 'next: one key resumes, not 0'],
    [
      'a key that resumes on another screen',
      withStart({ options: [...start.options, { key: '2', label: 'next', resumes: true }] }),
      'start: only the offer to resume has a key that resumes',
    ],
    ['a repeated key', withStart({ options: [...start.options, ...start.options] }), 'key 1 is there twice'],
    [
      'a key reserved for turning pages',
      withStart({ options: [{ key: '98', label: 'next', to: 'next' }] }),
      'key 98 turns pages',
    ],
    [
      'a key that cannot be typed',
      withStart({ options: [{ key: '1*', label: 'next', to: 'next' }] }),
      'cannot be typed',
    ],
    [
      'an exit key that stays',
      withStart({ navigation: [{ key: '*', label: 'exit', to: 'next' }] }),
      'key * always leads to the exit',
    ],
    ['a dead end', { ...sound, screens: { ...sound.screens, next: { ...next, navigation: [] } } }, 'next: a dead end'],
    ['an unused text', withTexts({ spare: 'x' }), '"spare" is used nowhere'],
    ['an unknown fact', withTexts({ hello: 'Hello {name}' }), 'the unknown fact "name"'],
    ['a closing message of two pages', withTexts({ bye: 'word '.repeat(60) }), 'must fit one page'],
    ['navigation without room for text', withTexts({ exit: 'x'.repeat(170) }), 'no room'],
    ['a text of too many pages', withTexts({ hello: 'word '.repeat(400) }), 'more than 12 pages'],
    ['a start without a menu', { ...sound, start: 'bye' }, 'start: "bye" is not a menu'],
    ['a choice without a text', withStart({ lines: [{ chosenBy: 'topic', texts: {} }] }), 'no key chooses "topic"'],
  ])('is refused with %s', (_name, flow, problem) => {
    const problems = checkFlow(flow, facts);
    expect(problems.join('\n')).toContain(problem);
    expect(problems.length).toBeGreaterThan(0);
  });

  it('is refused with the language and the key if a text is missing in one language', () => {
    const { hello: _dropped, ...incomplete } = texts;
    expect(checkFlow({ ...sound, texts: { en: texts, sw: incomplete } }, facts)).toEqual([
      'texts.sw: "hello" is missing',
    ]);
  });
});

describe('effects, entries and log-ins of a flow', () => {
  const entry: EntryScreen = {
    kind: 'entry',
    lines: ['hello'],
    options: [],
    navigation: [{ key: '0', label: 'back', to: 'start' }],
    entry: {
      name: 'name',
      secret: false,
      rule: { refusals: ['short'], read: (typed) => (typed.length > 1 ? { value: typed } : { refusal: 'short' }) },
      longest: ['W'],
      refusals: { short: { reason: 'wrongChoice' } },
      next: { effect: 'greet', results: { done: { to: 'inside' } } },
    },
  };
  const inside: MenuScreen = { ...next, authenticated: true };
  const working: MenuScreen = {
    kind: 'menu',
    lines: ['back'],
    options: [{ key: '1', label: 'back', looksAgain: true }],
    navigation: [{ key: '0', to: sound.start }],
  };
  const flow: Flow = {
    ...sound,
    operations: { greet: { kind: 'check', results: { done: {} } } },
    screens: { ...sound.screens, next: entry, inside },
  };
  const acting: Flow = {
    ...sound,
    operations: { greet: { kind: 'act', results: { done: {} } } },
    working: 'working',
    screens: {
      ...sound.screens,
      next: { ...entry, entry: { ...entry.entry, next: { effect: 'greet', results: { done: { to: sound.start } } } } },
      working,
    },
  };
  const { working: _working, ...withoutWorking } = acting;
  const withOperation = (change: Partial<Check>): Flow => ({
    ...flow,
    operations: { greet: { kind: 'check', results: { done: {} }, ...change } },
  });
  const withEntry = (change: Partial<EntryScreen['entry']>): Flow => ({
    ...flow,
    screens: { ...flow.screens, next: { ...entry, entry: { ...entry.entry, ...change } } },
  });

  it('have no problems if they are sound', () => {
    expect(checkFlow(flow, facts)).toEqual([]);
    expect(checkFlow(acting, facts)).toEqual([]);
  });

  it.each<[string, Flow, string]>([
    ['an operation it does not declare', { ...flow, operations: {} }, '"greet" is no operation of this flow'],
    ['a result without a landing', withOperation({ results: { done: {}, late: {} } }), 'no landing for "late"'],
    ['a landing for no result', withOperation({ results: {} }), 'never gives "done"'],
    ['a refusal without a landing', withEntry({ refusals: {} }), 'its entry has no landing for "short"'],
    ['a refusal without a reason', withEntry({ refusals: { short: {} } }), 'refuses "short" without a reason'],
    ['a result that leads to no screen', withEntry({ next: { to: 'nowhere' } }), 'leads to "nowhere"'],
    [
      'a required fact that is never set',
      withOperation({ takes: ['city'] }),
      '"greet" takes "city", which is not known on every way here',
    ],
    [
      'a reason that names an unknown fact',
      {
        ...withOperation({ results: { done: { city: ['W'] } } }),
        texts: { en: { ...texts, wrongChoice: 'No, {city}' } },
      },
      'gives the reason "wrongChoice", which prints "city", without it',
    ],
    ['no screen for pending effects', withoutWorking, 'a flow with acts needs a screen'],
    ['an invalid screen for pending effects', { ...acting, working: 'exit' }, 'working: "exit" is not a menu'],
    [
      'a screen for pending effects that never polls',
      { ...acting, screens: { ...acting.screens, working: { ...working, options: [] } } },
      'working: one key looks again, not 0',
    ],
    [
      'a polling key on another screen',
      { ...flow, screens: { ...flow.screens, inside: { ...inside, options: working.options } } },
      'inside: only the screen for a pending act has a key that looks again',
    ],
    [
      'an outcome that cannot be shown after a redial',
      { ...acting, screens: { ...acting.screens, next: entry, inside } },
      '"greet" that ended as "done" cannot be shown after a new dial without a reason',
    ],
    ['a way around the log-in', withEntry({ next: { to: 'inside' } }), '"inside" without an act or a check'],
    [
      'a fact too long for its screens',
      {
        ...withOperation({ results: { done: { city: ['x'.repeat(3000)] } } }),
        screens: { ...flow.screens, inside: { ...inside, lines: ['hello', 'told'], carries: ['city'] } },
        texts: { en: { ...texts, told: '{city}' } },
      },
      'more than 12 pages',
    ],
  ])('are refused with %s', (_name, wrong, problem) => {
    expect(checkFlow(wrong, facts).join('\n')).toContain(problem);
  });
});
