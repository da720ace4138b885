import { engineTexts, type Flow, type Screen, type TextKey } from './flow.js';
import { fieldsOn, listOn, listsOf } from './list.js';
import { placeholdersIn } from './placeholders.js';
import { optionsOf } from './ways-on.js';

/** The keys of all texts that a screen prints: its lines, for every choice, and what it offers. */
export function printedTexts(screen: Screen): TextKey[] {
  const label = listOn(screen)?.label;
  return label === undefined ? textsApartFromItems(screen) : [...textsApartFromItems(screen), label];
}

function textsApartFromItems(screen: Screen): TextKey[] {
  const lines = screen.lines.flatMap((line) => (typeof line === 'string' ? [line] : Object.values(line.texts)));
  return [...lines, ...optionsOf(screen).flatMap(({ label }) => label ?? [])];
}

/** The facts that a screen prints or that its lines depend on, in any of the flow's languages; the fields of its items are none. */
export function namedFacts(flow: Flow, screen: Screen): string[] {
  const words = screen.lines
    .flatMap((line) => (typeof line === 'string' ? [] : [line.chosenBy]))
    .filter(isItemWord(flow));
  const named = [...words, ...factsIn(flow, [...textsApartFromItems(screen), ...Object.values(engineTexts)])];
  const list = listOn(screen);
  if (list === undefined) return named;
  const fields = fieldsOn(flow, screen);
  return [...named, ...factsIn(flow, [list.label]).filter((name) => !Object.hasOwn(fields, name))];
}

/** What has to be known on the way to a screen: the facts of `namedFacts`, and the list that the screen offers. */
export function neededOn(flow: Flow, screen: Screen): string[] {
  const list = listOn(screen);
  return list === undefined ? namedFacts(flow, screen) : [...namedFacts(flow, screen), list.from];
}

/** Whether a choice is a word of a chosen item, and none of a key. */
function isItemWord(flow: Flow) {
  const lists = [...listsOf(flow).values()];
  return (name: string) =>
    lists.some(({ fields }) => Object.hasOwn(fields, name) && fields[name]?.kind === 'word') &&
    !Object.values(flow.screens).some((screen) =>
      optionsOf(screen).some((option) => 'choose' in option && option.choose?.name === name),
    );
}

/** The facts that texts name, in any of the flow's languages. */
function factsIn(flow: Flow, keys: readonly TextKey[]): string[] {
  return Object.values(flow.texts).flatMap((texts) => keys.flatMap((key) => placeholdersIn(texts[key] ?? '')));
}
