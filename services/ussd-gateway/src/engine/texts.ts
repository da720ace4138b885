import { z } from 'zod';
import { isByNetwork, networkValue } from './caller-facts.js';
import type { Choices, EffectUse, Facts, Flow, Line, Operation, Screen, TextKey } from './flow.js';
import { named } from './position.js';
import { effectsOf } from './screen-options.js';

/** Input for rendering a text in one session. */
export interface Wording {
  readonly flow: Flow;
  /** Set at the dial: the stored choice (`sessions/find-caller.ts`), else the default of the flow (`startOf`). */
  readonly language: string;
  readonly facts: Facts;
}

/**
 * A text of the flow, filled with facts.
 *
 * @throws {Error} for a missing key or fact, which `findProblems` rules out at start.
 */
export function renderText(key: TextKey, wording: Wording): string {
  const { flow, facts } = wording;
  const texts = flow.texts[wording.language] ?? flow.texts[flow.defaultLanguage];
  const text = texts?.[key];
  if (text === undefined) throw new Error(`flow ${flow.id} has no text "${key}" in ${wording.language}`);
  return text.includes('{') ? fillText(text, facts, `text "${key}" of flow ${flow.id}`) : text;
}

/** @throws {Error} for an unknown fact. */
export function fillText(text: string, facts: Facts, named = 'a text'): string {
  return text.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (fact === undefined) throw new Error(`${named} names an unknown fact "${name}"`);
    return fact;
  });
}

/** Printed lines of one line of a screen: a text may contain line breaks. */
export function renderLines(line: Line, choices: Choices, wording: Wording): string[] {
  return renderText(textKeyOf(line, choices, wording.facts), wording).split('\n');
}

function textKeyOf(line: Line, choices: Choices, facts: Facts): TextKey {
  if (typeof line === 'string') return line;
  const choice = choices[line.chosenBy] ?? (isByNetwork(line) ? networkValue(line, facts) : '');
  const key = Object.hasOwn(line.texts, choice) ? line.texts[choice] : undefined;
  if (key === undefined) throw new Error(`no text for the choice "${line.chosenBy}"`);
  return key;
}

/** Problem of the first brace that is not part of a `{fact}`, such as in `{{x}}`, `{ x }` or `{x`; undefined if there is none. */
export function strayBrace(text: string): string | undefined {
  const stray = text.match(/\{+[^{}]{0,40}\}*|\}+/g)?.find((part) => !/^\{\w+\}$/.test(part));
  if (stray === undefined) return undefined;
  return `has a brace that is part of no fact ("${stray}"): write {name}, with letters, digits and _ only`;
}

/** Facts that the text names. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** A message in the language of its subscriber. `facts` are facts of the service; all facts are filled in when it is sent. */
export const messageText = z.object({ operation: z.string(), text: z.string(), facts: named }).readonly();
type MessageText = z.infer<typeof messageText>;

/** The message operation of each result of a use. */
export function messageOperations(
  flow: Flow,
  { effect, results }: EffectUse,
): readonly [result: string, operation: string][] {
  const isMessage = messageOf(flow.operations?.[effect]) !== undefined;
  return Object.entries(results).flatMap(([result, { message = isMessage ? effect : undefined }]) =>
    message === undefined ? [] : [[result, message]],
  );
}

export function messageOf(operation: Operation | undefined) {
  return operation?.kind === 'act' ? operation.message : undefined;
}

/** Effect that queues a message: it returns `queued` at once, and the message is sent independent of the session. */
export const queueEffect = 'queue message';

/**
 * The text that each result of a use sends, by result; undefined if none sends one.
 *
 * @param known facts of the service.
 */
export function messagesOf(
  flow: Flow,
  use: EffectUse,
  language: string,
  known: Facts,
): Readonly<Record<string, MessageText>> | undefined {
  const texts = flow.texts[language] ?? flow.texts[flow.defaultLanguage] ?? {};
  const found = messageOperations(flow, use).flatMap(([result, operation]) => {
    const text = texts[messageOf(flow.operations?.[operation])?.text ?? ''];
    const facts = Object.fromEntries(
      Object.entries(known).filter(([name]) => placeholdersIn(text ?? '').includes(name)),
    );
    return text === undefined ? [] : [[result, { operation, text, facts }] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Keys of all texts that operations send. */
export function sentTexts(flow: Flow): TextKey[] {
  return Object.values(flow.operations ?? {}).flatMap((operation) => messageOf(operation)?.text ?? []);
}

/** Facts named by messages that a screen starts, apart from facts of the result itself. */
export function factsOfMessages(flow: Flow, screen: Screen): string[] {
  return effectsOf(screen).flatMap((use) =>
    messageOperations(flow, use).flatMap(([result, operation]) => {
      const key = messageOf(flow.operations?.[operation])?.text ?? '';
      const resultFacts = Object.keys(flow.operations?.[use.effect]?.results[result] ?? {});
      return Object.values(flow.texts)
        .flatMap((texts) => placeholdersIn(texts[key] ?? ''))
        .filter((name) => !resultFacts.includes(name));
    }),
  );
}
