import { z } from 'zod';
import type { Facts, Flow, MenuScreen, Operation, Screen } from './flow.js';
import type { Position } from './position.js';

/** The result of an operation whose list has no items. */
export const emptyList = 'empty';

/** A list that a flow declares has this many items at most: their keys are typed, and 98 and 99 turn pages. */
export const mostItems = 50;

/** All lists of a flow together have this many characters at their longest: a session stores them. */
export const mostListChars = 4000;

/**
 * A field of the items of a list. A `text` is printed and may be cut; an `id` and an `amount` are passed on unchanged; a `word` is one of `words`,
 * which lines can depend on.
 */
export const listField = z
  .object({
    kind: z.enum(['text', 'id', 'amount', 'word']),
    /** The most UTF-16 units of a value. */
    chars: z.number(),
    words: z.array(z.string()).optional(),
  })
  .readonly();
export type ListField = z.infer<typeof listField>;

/** A list that a result of an operation gives. */
export const declaredList = z
  .object({
    name: z.string(),
    /** Items at most. */
    most: z.number(),
    fields: z.record(z.string(), listField),
  })
  .readonly();
export type DeclaredList = z.infer<typeof declaredList>;

/** Lists that operations gave, by name: of each item all declared fields. */
export const lists = z.record(z.string(), z.array(z.record(z.string(), z.string()).readonly()).readonly()).readonly();
export type Lists = z.infer<typeof lists>;

/** Every list that operations of a flow give, by name. */
export function listsOf({ operations = {} }: Pick<Flow, 'operations'>): ReadonlyMap<string, DeclaredList> {
  const declared = Object.values(operations).flatMap((operation) => Object.values(operation.lists ?? {}));
  return new Map(declared.map((list) => [list.name, list]));
}

/** The names of the lists that a result of an operation gives. */
export function listsOfResult(operation: Operation | undefined, result: string): readonly string[] {
  const list = Object.hasOwn(operation?.lists ?? {}, result) ? operation?.lists?.[result] : undefined;
  return list === undefined ? [] : [list.name];
}

/** What a screen offers of a list. */
export function listOn(screen: Screen): MenuScreen['list'] {
  return screen.kind === 'menu' ? screen.list : undefined;
}

/** The fields of the items that a screen offers: the facts that a chosen item gives. */
export function fieldsOn(flow: Flow, screen: Screen): Readonly<Record<string, ListField>> {
  const from = listOn(screen)?.from;
  return (from === undefined ? undefined : listsOf(flow).get(from)?.fields) ?? {};
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
