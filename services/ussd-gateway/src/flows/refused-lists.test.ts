import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshFolder } from '../../test/support/fresh-folder.js';
import { readFlow } from './read-flow.js';

const example = fileURLToPath(new URL('../../../../examples/pay-a-bill/flows/default', import.meta.url));

describe('a flow with a list', () => {
  let folder: string;
  beforeEach(() => {
    folder = freshFolder();
    cpSync(example, folder, { recursive: true });
  });

  /** Changes a file; each of the old texts must occur exactly once. */
  const change = (file: string, ...changes: readonly (readonly [before: string, after: string])[]) => {
    const path = join(folder, file);
    writeFileSync(
      path,
      changes.reduce(
        (text, [before, after]) => {
          expect(text.split(before)).toHaveLength(2);
          return text.replace(before, after);
        },
        readFileSync(path, 'utf8'),
      ),
    );
  };
  const read = (language: string) => readFileSync(join(folder, `texts/${language}.yaml`), 'utf8');
  const problems = () =>
    (readFlow(folder, { appName: 'Mlango' }).problems ?? []).map(
      ({ file, line, description }) => `${file}:${line} ${description}`,
    );

  it('is sound as shipped', () => expect(problems()).toEqual([]));

  it.each<[what: string, before: string, after: string, problem: string]>([
    [
      'a list that no operation returns',
      'from: bills',
      'from: debts',
      'flow.yaml:51 bills: lists "debts", which no operation gives',
    ],
    [
      'a list that no screen lists',
      '        bills:\n',
      '        debts:\n',
      'flow.yaml:18 operations.findBills.gives.found.debts: no screen lists it: name it in from, or remove it',
    ],
    [
      'no landing for the empty list',
      '          empty: { reason: noBills }\n',
      '',
      'flow.yaml:36 menu: findBills has no landing for "empty"',
    ],
    [
      'no landing for a failure',
      '          unanswered: { reason: noAnswer }\n',
      '',
      'flow.yaml:36 menu: findBills has no landing for "unanswered"',
    ],
    [
      'a custom result for the empty list',
      '      found:\n',
      '      empty: {}\n      found:\n',
      'flow.yaml:17 operations.findBills.gives.empty: must not be empty, which every list can come to',
    ],
    [
      'a path without the list',
      "      - { key: '*', label: exit, to: closed }\n\n  bills:",
      "      - { key: '*', label: exit, to: closed }\n      - { key: 9, label: exit, to: bills }\n\n  bills:",
      'flow.yaml:36 menu: leads to "bills", which lists "bills", without it: an operation that gives the list must come before on every way',
    ],
    [
      'a field with the name of a fact of the service',
      'reference: { as',
      'phoneNumber: { as',
      'flow.yaml:23 operations.findBills.gives.found.bills.items.phoneNumber: "phoneNumber" is a fact of the service: use another name',
    ],
    [
      'a list with the name of a fact',
      'paid: { receipt: 12 }',
      'paid: { receipt: 12, bills: 9 }',
      'flow.yaml:18 operations.findBills.gives.found.bills: "bills" is a fact and a list: use another name',
    ],
    [
      'a list sent to a webhook',
      'sends: [amount, reference]',
      'sends: [amount, bills]',
      'flow.yaml:30 operations.pay.sends: "bills" is a list: name the fields of the chosen item instead',
    ],
    [
      'an unknown field sent to a webhook',
      'sends: [amount, reference]',
      'sends: [amount, ref]',
      'flow.yaml:54 confirm: "pay" takes "ref", which is not known on every way here',
    ],
    [
      'a key reserved for an item',
      '    back: menu\n\n  confirm:',
      '    back: menu\n    navigation: [{ key: 9, label: exit, to: menu }]\n\n  confirm:',
      'flow.yaml:51 bills: key 9 is there twice: the items of "bills" have the keys 1 to 9',
    ],
    [
      'a list on the first screen',
      'start: menu',
      'start: bills',
      'flow.yaml:51 bills: start, resumeOffer and working can list nothing: no operation comes before them',
    ],
    [
      'a list and an entry',
      '    back: menu\n\n  confirm:',
      '    back: menu\n    entry: { kind: text, name: note, max: 9, refusals: { length: wrongChoice }, to: menu }\n\n  confirm:',
      'flow.yaml:51 screens.bills.options: a screen with an entry lists nothing: its text could be a key',
    ],
    [
      'an act that returns a list',
      'is: question',
      'is: act',
      'flow.yaml:18 operations.findBills.gives.found.bills: only a question gives a list, since an act is not repeated',
    ],
    [
      'two lists of one result',
      '        bills:\n',
      '        debts: { most: 2, items: { name: 9 } }\n        bills:\n',
      'flow.yaml:17 operations.findBills.gives.found: can give one list only',
    ],
    [
      'more items than there are keys',
      'most: 9',
      'most: 51',
      'flow.yaml:19 operations.findBills.gives.found.bills.most: must be a whole number from 1 to 50',
    ],
    [
      'no fields',
      `            name: 20
            amount: { as: amount, longest: 9 }
            reference: { as: id, longest: 12 }
            state: { of: [due, overdue] }
`,
      '            {}\n',
      'flow.yaml:18 operations.findBills.gives.found.bills: its items have no fields',
    ],
    [
      'a field without a kind',
      'amount: { as: amount, longest: 9 }',
      'amount: { as: money, longest: 9 }',
      'flow.yaml:22 operations.findBills.gives.found.bills.items.amount: must be the most characters of a text, { as: id, longest: 16 }, { as: amount, longest: 9 } or { of: [due, paid] }',
    ],
    [
      'a misspelt setting',
      'most: 9',
      'mots: 9',
      'flow.yaml:19 operations.findBills.gives.found.bills: there is no "mots" here',
    ],
    [
      'options without a target',
      "label: '{name} {amount}', to: confirm",
      "label: '{name} {amount}'",
      'flow.yaml:51 screens.bills.options: must have one of to, do',
    ],
    [
      'a line without a text for a word',
      'due: isDue, overdue: isOverdue',
      'due: isDue, late: isOverdue',
      'flow.yaml:54 confirm: no text for the choice "overdue"',
    ],
    [
      'lists larger than a session stores',
      '{ as: id, longest: 12 }',
      '{ as: id, longest: 160 }\n            more: 160\n            other: 160',
      'flow.yaml:10 operations: all lists together have up to 4644 characters, and a session has room for 4000: declare fewer items or shorter fields',
    ],
    [
      'more pages than a screen may have',
      'most: 9',
      'most: 40',
      'flow.yaml:49 bills: in en, more than 12 pages with "bills" at its longest: declare fewer items or shorter fields',
    ],
    [
      'a closing screen too small for a field',
      '            name: 20\n',
      '            name: 60\n',
      'flow.yaml:84 receipt: in en, a closing message must fit one page',
    ],
  ])('is refused by file and line with %s', (_what, before, after, problem) => {
    change('flow.yaml', [before, after]);
    expect(problems()).toContain(problem);
  });

  it.each<[what: string, label: string, problem: string]>([
    ['an unknown field', '{name} {amuont}', 'texts.en: "screens.bills.options.label" names the unknown fact "amuont"'],
    [
      'no field',
      '{appName}',
      'texts.en: "screens.bills.options.label" names no field of "bills", which has name, amount, reference, state',
    ],
    ['the list itself', '{name} {bills}', 'texts.en: "screens.bills.options.label" names the unknown fact "bills"'],
    [
      'words in one language',
      'Bill {name}',
      "screens.bills.options.label: must be fields without words, such as '{name} {amount}', the key of a text, or the text in each language",
    ],
    [
      'stray braces',
      '{{name}}',
      "screens.bills.options.label: must be fields without words, such as '{name} {amount}', the key of a text, or the text in each language",
    ],
  ])('is refused by file and line with a label that names %s', (_what, label, problem) => {
    change('flow.yaml', ["'{name} {amount}'", `'${label}'`]);
    expect(problems()).toContain(`flow.yaml:51 ${problem}`);
  });

  it('is refused with a label that names an unknown fact', () => {
    change('flow.yaml', ["'{name} {amount}'", "'{name} {receipt}'"]);
    expect(problems()).toContain('flow.yaml:36 menu: leads to "bills", which prints "receipt", without it');
  });

  it('has a label with words in each language, by its key or inline', () => {
    change('flow.yaml', ["'{name} {amount}'", 'bill']);
    for (const language of ['en', 'sw']) change(`texts/${language}.yaml`, ['payBill:', "bill: 'No. {name}'\npayBill:"]);
    expect(problems()).toEqual([]);
    change('texts/en.yaml', ["bill: 'No. {name}'", 'bill: "{name}\\n{amount}"']);
    expect(problems()).toEqual(['texts/en.yaml:2 texts.en: "bill" is the label of a list, and has more than one line']);
    for (const language of ['en', 'sw'])
      change(`texts/${language}.yaml`, [/bill: .*\n/.exec(read(language))?.[0] ?? '', '']);
    change('flow.yaml', ['label: bill,', "label: { en: 'Bill {name}', sw: 'Bili {name} {oops}' },"]);
    expect(problems()).toEqual([
      'flow.yaml:51 texts.sw: "screens.bills.options.label" names the unknown fact "oops"',
      'flow.yaml:36 menu: leads to "bills", which prints "oops", without it',
      'flow.yaml:54 confirm: leads to "bills", which prints "oops", without it',
    ]);
  });

  it('may send a message with only the fields of the chosen item', () => {
    change('flow.yaml', ['screens:\n', '  sms: { connector: message, text: smsPaid }\nscreens:\n']);
    change('flow.yaml', ['paid: { to: receipt }', 'paid: { to: receipt, message: sms }']);
    for (const language of ['en', 'sw'])
      change(`texts/${language}.yaml`, [
        'noBills:',
        "smsPaid: '{name}: {amount} paid, {reference}, {receipt}'\nnoBills:",
      ]);
    // 20 letters outside of the GSM alphabet and the rest of the text: one SMS of 70.
    expect(problems()).toEqual([]);
  });

  it('is refused with a fact of a chosen item before the choice', () => {
    change('texts/en.yaml', ["whichBill: 'Which bill do you pay?'", "whichBill: 'Which? {amount}'"]);
    expect(problems()).toContain('flow.yaml:36 menu: leads to "bills", which prints "amount", without it');
  });

  it('is refused with a line that depends on a word of an item before the choice', () => {
    change('flow.yaml', [
      'lines: [whichBill]',
      'lines: [whichBill, { chosenBy: state, texts: { due: isDue, overdue: isOverdue } }]',
    ]);
    expect(problems()).toContain('flow.yaml:36 menu: leads to "bills", which prints "state", without it');
  });

  it('is refused with two operations that return lists of one name with different items', () => {
    const other = `  findDebts:
    connector: webhook
    webhook: mobileMoney
    is: question
    gives: { found: { bills: { most: 3, items: { name: 9 } } } }
`;
    change('flow.yaml', ['screens:\n', `${other}screens:\n`]);
    expect(problems()).toContain(
      'flow.yaml:18 operations.findBills.gives.found.bills: "bills" is declared twice, with other items',
    );
  });

  it('is refused if it sends a webhook a field with the name of a secret fact', () => {
    change('flow.yaml', [
      "    navigation:\n      - { key: '*', label: exit, to: closed }\n\n  bills:",
      `      - key: 2
        label: payBill
        do: makeLinkCode
        results: { made: { reason: noBills }, off: { reason: noBills } }
    navigation:
      - { key: '*', label: exit, to: closed }

  bills:`,
    ]);
    change(
      'flow.yaml',
      ['reference: { as', 'linkCode: { as'],
      ['sends: [amount, reference]', 'sends: [amount, linkCode]'],
    );
    for (const language of ['en', 'sw']) change(`texts/${language}.yaml`, ['{reference}', '{linkCode}']);
    expect(problems()).toContain(
      'flow.yaml:30 operations.pay.sends: "linkCode" is secret: it may be shown on screens, but never sent to a webhook or in a message',
    );
  });
});
