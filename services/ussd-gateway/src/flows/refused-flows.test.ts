import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alwaysKnown } from '../engine/check/check-facts.js';
import { readFlow } from './read-flow.js';

const flow = `version: 1
start: first
exit: bye
defaultLanguage: en
operations:
  look:
    connector: webhook
    webhook: shop
    is: question
    sends: [amount]
    gives: { found: { price: 10 } }
screens:
  first:
    lines: [hello]
    options:
      - { key: 1, label: next, to: ask, choose: { topic: prices } }
  ask:
    lines: [hello]
    entry:
      kind: amount
      name: amount
      max: 100
      refusals: { form: no, low: no, high: no }
      do: look
      results: { found: { to: shown }, unanswered: { to: first } }
    back: first
  shown:
    lines: [price]
    back: first
  bye:
    closes: true
    lines: [bye]
`;
const texts = `hello: Hello
next: Next
back: Back
price: Costs {price}
no: Not so
bye: Bye
wrongChoice: Wrong
more: More
previous: Previous
`;

describe('a flow', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ussd-refused-'));
    mkdirSync(join(folder, 'texts'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function problemsOf(flowText: string | Buffer, english: string | Buffer = texts): string[] {
    writeFileSync(join(folder, 'flow.yaml'), flowText);
    writeFileSync(join(folder, 'texts/en.yaml'), english);
    const read = readFlow(folder, { appName: 'Mlango' });
    return (read.problems ?? []).map(({ file, line, description }) => `${file}:${line} ${description}`);
  }

  /** The flow with one change. */
  const withChange = (before: string, after: string) => {
    expect(flow.split(before)).toHaveLength(2);
    return flow.replace(before, after);
  };

  it('is read if it is sound', () => expect(problemsOf(flow)).toEqual([]));

  it.each([...alwaysKnown, 'appName'])('may not use %s, a fact of the service, as a name', (name) => {
    const description = `"${name}" is a fact of the service: use another name`;
    const named = flow.replaceAll(/\bamount\b(?!\n {6}name)/g, name).replace('topic: prices', `${name}: prices`);
    expect(problemsOf(named)).toEqual([`flow.yaml:16 first: ${description}`, `flow.yaml:21 ask: ${description}`]);
    expect(problemsOf(flow.replace('price: 10', `price: 10, ${name}: 10`))).toEqual([
      `flow.yaml:11 operations.look.gives.found.${name}: ${description}`,
    ]);
    const chain =
      '    connector: chain\n    path: [entity, "{amount}"]\n    gives:\n      price: { from: a, longest: 9 }\n';
    const asking = flow
      .replace(/ {4}connector: webhook\n(?: {4}.*\n)*/, `${chain}      ${name}: { from: b, longest: 9 }\n`)
      .replace('unanswered', 'unknown');
    expect(problemsOf(asking)).toEqual([`flow.yaml:11 operations.look.gives.${name}: ${description}`]);
  });

  it.each([
    ['{{price}}', '{{price}}'],
    ['{ price }', '{ price }'],
    ['{price', '{price'],
    ['price}', '}'],
    ['{prix-total}', '{prix-total}'],
    ['{}', '{}'],
  ])('may not have the text %j, which would be printed unchanged', (text, stray) => {
    const description = `has a brace that is part of no fact ("${stray}"): write {name}, with letters, digits and _ only`;
    expect(problemsOf(flow, texts.replace('Not so', `'Not ${text}'`))).toContain(
      `texts/en.yaml:5 texts.en: "no" ${description}`,
    );
  });

  it('may not query the chain with such a brace in its path', () => {
    const asking = flow.replace(
      / {4}connector: webhook\n(?: {4}.*\n)*/,
      '    connector: chain\n    path: [entity, "{ amount }"]\n    gives: { price: { from: a, longest: 9 } }\n',
    );
    expect(problemsOf(asking)).toEqual([
      'flow.yaml:8 operations.look.path.1: has a brace that is part of no fact ("{ amount }"): write {name}, with letters, digits and _ only',
    ]);
  });

  it.each<[string, string, string]>([
    ['to: ask, choose', 'to: toString, choose', 'flow.yaml:13 first: key 1 leads to "toString", which is no screen'],
    ['label: next', 'label: constructor', 'texts/en.yaml:1 texts.en: "constructor" is missing'],
    ['lines: [price]', 'lines: [valueOf]', 'texts/en.yaml:1 texts.en: "valueOf" is missing'],
    ['do: look', 'do: toString', 'flow.yaml:17 ask: "toString" is no operation of this flow'],
    ['start: first', 'start: hasOwnProperty', 'flow.yaml:2 start: "hasOwnProperty" is not a menu of this flow'],
    ['found: { to', 'isPrototypeOf: { to', 'flow.yaml:17 ask: look never gives "isPrototypeOf"'],
    ['high: no', 'toString: no', 'flow.yaml:17 ask: its entry never gives "toString"'],
    [
      'sends: [amount]',
      'sends: [amount, toString]',
      'flow.yaml:17 ask: "look" takes "toString", which is not known on every way here',
    ],
  ])('with %j as %j is refused by file and line', (before, after, problem) =>
    expect(problemsOf(withChange(before, after))).toContain(problem),
  );

  it.each<[string, string]>([
    ['do: changePin, results: { changed: { to: ask, reason: no } }', '"changePin" needs a logged-in subscriber'],
    ['do: changePin, results: { changed: { to: ask, reason: no } }', '"changePin" needs a typed secret'],
    ['do: checkPin, results: { right: {}, wrong: {}, locked: {} }', '"checkPin" needs a logged-in subscriber'],
    ['do: findIds, results: { found: {}, wrong: {}, locked: {} }', '"findIds" needs a typed secret'],
  ])('with a key that has "%s" is refused by file and line: %s', (use, problem) => {
    const key = `      - { key: 2, label: next, ${use} }\n`;
    const problems = problemsOf(withChange('    options:\n', `    options:\n${key}`));
    expect(problems).toContainEqual(expect.stringContaining(`flow.yaml:13 first: ${problem}`));
  });

  it('may use an operation that needs an account and a secret only in an entry of a PIN behind the log-in', () => {
    const problems = (entry: string) =>
      problemsOf(flow.replace(/ {4}entry:\n(?: {6}.*\n)*/, entry)).filter((problem) => problem.includes('" needs a '));
    const entry = `    entry:
      kind: pin
      refusals: { form: no }
      do: checkPin
      results: { right: { to: shown }, wrong: { reason: no }, locked: { reason: no } }
`;
    expect(problems(entry)).toEqual([
      'flow.yaml:17 ask: "checkPin" needs a logged-in subscriber: add authenticated: true to the screen',
    ]);
    expect(problems(`    authenticated: true\n${entry}`)).toEqual([]);
    expect(problems(entry.replace('kind: pin', 'kind: personName\n      name: name'))).toContain(
      'flow.yaml:17 ask: "checkPin" needs a typed secret: use it in an entry that requests a PIN',
    );
  });

  it('may give its own screens, texts and facts the names of inherited properties', () => {
    const named = flow.replaceAll('shown', 'toString').replaceAll('amount\n      max', 'valueOf\n      max');
    const renamed = named.replace('[amount]', '[valueOf]').replaceAll(/\bno\b/g, 'constructor');
    expect(problemsOf(renamed, texts.replace('no:', 'constructor:'))).toEqual([]);
  });

  it('with an operation that no screen uses is refused', () => {
    const description = 'no screen uses it: name it in do or message, or remove it';
    expect(problemsOf(withChange('screens:\n', '  sms: { connector: message, text: bye }\nscreens:\n'))).toContain(
      `flow.yaml:12 operations.sms: ${description}`,
    );
  });

  it('with a message without a text is refused at the declaration of the message', () => {
    const sending = flow
      .replace('is: question', 'is: act')
      .replace(
        'screens:\n',
        '  sms:\n    connector: message\n    text: paid\nworking: wait\nscreens:\n  wait: { lines: [hello], options: [{ key: 1, label: next, looksAgain: true }], back: first }\n',
      )
      .replace(
        '{ found: { to: shown }, unanswered: { to: first } }',
        '{ found: { to: shown, message: sms }, unanswered: { to: first } }',
      );
    expect(problemsOf(sending)).toEqual([
      'flow.yaml:14 operations.sms.text: "paid" is missing: add it to texts/en.yaml, or name another text',
    ]);
    expect(problemsOf(sending, `${texts}paid: Paid\n`)).toEqual([]);
  });

  it.each<[string, Buffer]>([
    ['Latin-1', Buffer.from(texts.replace('Not so', 'Pas été'), 'latin1')],
    [
      'UTF-8 with half a character',
      Buffer.concat([Buffer.from(texts.replace(/so\n.*/s, '')), Buffer.from([0xe2, 0x82, 0x0a])]),
    ],
  ])('with a text in %s is refused by file and line', (_encoding, english) =>
    expect(problemsOf(flow, english)).toEqual(['texts/en.yaml:5 is not UTF-8: save the file as UTF-8 in your editor']),
  );

  it.each<[string, Buffer]>([
    ['with a byte order mark', Buffer.from(`\uFEFF${flow}`, 'utf16le')],
    ['without one', Buffer.from(flow, 'utf16le')],
  ])('in UTF-16 %s is refused by file', (_mark, written) =>
    expect(problemsOf(written)).toEqual(['flow.yaml:1 is not UTF-8: save the file as UTF-8 in your editor']),
  );

  it('with a byte order mark and Windows line ends is read', () =>
    expect(problemsOf(`\uFEFF${flow.replaceAll('\n', '\r\n')}`, `\uFEFF${texts.replaceAll('\n', '\r\n')}`)).toEqual(
      [],
    ));

  it('with a file of another name is refused, with the new name in the problem', () => {
    problemsOf(flow);
    const problems = () =>
      (readFlow(folder, {}).problems ?? []).map(({ file, line, description }) => `${file}:${line} ${description}`);
    renameSync(join(folder, 'texts/en.yaml'), join(folder, 'texts/en.yml'));
    expect(problems()).toEqual(['texts/en.yml:1 is not read: rename it to en.yaml']);
    renameSync(join(folder, 'texts/en.yml'), join(folder, 'texts/english.yaml'));
    expect(problems()).toEqual([
      'texts/english.yaml:1 is named after no language: use the code of one, such as en.yaml or pt-MZ.yaml',
    ]);
    rmSync(join(folder, 'texts'), { recursive: true });
    renameSync(join(folder, 'flow.yaml'), join(folder, 'flow.yml'));
    expect(problems()).toEqual([
      'texts:1 has no texts: it needs a file for each language, such as texts/en.yaml',
      'flow.yaml:1 is missing: rename flow.yml to flow.yaml',
    ]);
    rmSync(join(folder, 'flow.yml'));
    expect(problems()).toContain('flow.yaml:1 is missing');
  });

  it('with screens that lead only to each other is refused at each of them', () => {
    const loop = '  shown:\n    lines: [price]\n    back: rest\n  rest:\n    lines: [hello]\n    back: shown\n';
    const trapped = flow.replace(/ {2}shown:\n.*\n.*\n/, loop);
    const description = (only: string) =>
      `a dead end, it leads only to ${only}; add a key that leads to the start or to a closing screen`;
    expect(problemsOf(trapped)).toEqual([
      `flow.yaml:27 shown: ${description('rest')}`,
      `flow.yaml:30 rest: ${description('shown')}`,
    ]);
    const before = `${loop}  before:\n    lines: [hello]\n    back: shown\n`;
    expect(problemsOf(flow.replace(/ {2}shown:\n.*\n.*\n/, before).replace('to: shown', 'to: before'))).toContain(
      `flow.yaml:33 before: ${description('shown, rest')}`,
    );
    const left = loop.replace('back: shown\n', 'back: shown\n    options: [{ key: 1, label: next, to: bye }]\n');
    expect(problemsOf(flow.replace(/ {2}shown:\n.*\n.*\n/, left))).toEqual([]);
  });
});
