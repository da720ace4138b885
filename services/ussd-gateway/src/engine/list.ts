import type { DeclaredList, ListField, Lists } from './declared-list.js';
import type { Facts, Flow, MenuScreen, Operation, Screen } from './flow.js';
import type { Position } from './position.js';

/** Every list that operations of a flow give, by name. */
export function listsOf({ operations = {} }: Pick<Flow, 'operations'>): ReadonlyMap<string, DeclaredList> {
  const declared = Object.values(operations).flatMap((operation) => Object.values(operation.lists ?? {}));
  return new Map(declared.map((list) => [list.name, list]));
}

/** The list that a result of an operation gives. */
export function listOfResult({ lists = {} }: Pick<Operation, 'lists'>, result: string): DeclaredList | undefined {
  return Object.hasOwn(lists, result) ? lists[result] : undefined;
}

/** What a screen offers of a list. */
export function listOn(screen: Screen): MenuScreen['list'] {
  return screen.kind === 'menu' ? screen.list : undefined;
}

/** The fields of the items that a screen offers. */
export function fieldsOn(flow: Flow, screen: Screen): Readonly<Record<string, ListField>> {
  const from = listOn(screen)?.from;
  return (from === undefined ? undefined : listsOf(flow).get(from)?.fields) ?? {};
}

/** The facts that a screen gives by what is typed, in the open, or by the chosen item. */
export function givenOn(flow: Flow, screen: Screen): readonly string[] {
  if (screen.kind === 'entry') return screen.entry.secret ? [] : [screen.entry.name];
  return Object.keys(fieldsOn(flow, screen));
}

/** The items that a screen offers in a session, in the order of their keys, which begin with 1. */
export function itemsOn(screen: Screen, position: Pick<Position, 'lists'>): readonly Facts[] {
  const list = listOn(screen);
  if (list === undefined || !Object.hasOwn(position.lists ?? {}, list.from)) return [];
  return position.lists?.[list.from] ?? [];
}

/** Where the item of a typed key leads from: its fields are facts, and its words choices. Undefined if there is no item with this key. */
export function choosingItem(flow: Flow, screen: Screen, position: Position, pressed: string): Position | undefined {
  const item = /^[1-9][0-9]?$/.test(pressed) ? itemsOn(screen, position)[Number(pressed) - 1] : undefined;
  if (item === undefined) return undefined;
  const fields = fieldsOn(flow, screen);
  const words = Object.entries(item).filter(([name]) => Object.hasOwn(fields, name) && fields[name]?.kind === 'word');
  return {
    ...position,
    choices: { ...position.choices, ...Object.fromEntries(words) },
    entries: { ...position.entries, ...item },
    notice: undefined,
  };
}

/** The lists of a screen as long as can be, where each item has these facts. */
export function fullLists(flow: Flow, screen: Screen, facts: Facts, most?: number): Lists | undefined {
  const from = listOn(screen)?.from;
  const list = from === undefined ? undefined : listsOf(flow).get(from);
  if (list === undefined) return undefined;
  const item = Object.fromEntries(Object.keys(list.fields).map((name) => [name, facts[name] ?? `{${name}}`]));
  return { [list.name]: Array.from({ length: most ?? list.most }, () => item) };
}
