import { isByNetwork, networkValue } from './caller-facts.js';
import type { Choices, Facts, Flow, Line, TextKey } from './flow.js';

/** What it takes to print a text for one session. */
export interface Wording {
  readonly flow: Flow;
  readonly language: string;
  readonly facts: Facts;
}

/**
 * A text of the flow, filled with facts.
 *
 * @throws {Error} for a key or a fact that is missing, which `findProblems` rules out at start.
 */
export function sayText(key: TextKey, wording: Wording): string {
  const { flow, facts } = wording;
  const texts = flow.texts[wording.language] ?? flow.texts[flow.defaultLanguage];
  const text = texts?.[key];
  if (text === undefined) throw new Error(`flow ${flow.id} has no text "${key}" in ${wording.language}`);
  return text.includes('{') ? fillText(text, facts, `text "${key}" of flow ${flow.id}`) : text;
}

/** @throws {Error} for a fact that is not known. */
export function fillText(text: string, facts: Facts, named = 'a text'): string {
  return text.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (fact === undefined) throw new Error(`${named} names an unknown fact "${name}"`);
    return fact;
  });
}

/** The printed lines of one line of a screen: a text may hold line breaks. */
export function sayLine(line: Line, choices: Choices, wording: Wording): string[] {
  return sayText(textKeyOf(line, choices, wording.facts), wording).split('\n');
}

function textKeyOf(line: Line, choices: Choices, facts: Facts): TextKey {
  if (typeof line === 'string') return line;
  const choice = choices[line.chosenBy] ?? (isByNetwork(line) ? networkValue(line, facts) : '');
  const key = Object.hasOwn(line.texts, choice) ? line.texts[choice] : undefined;
  if (key === undefined) throw new Error(`no text for the choice "${line.chosenBy}"`);
  return key;
}
