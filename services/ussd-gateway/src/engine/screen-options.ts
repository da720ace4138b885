import type { DeclaredList, ListField, Lists } from './declarations.js';
import type {
  EffectUse,
  EntryScreen,
  Facts,
  Flow,
  Landing,
  ListOptions,
  MenuScreen,
  Operation,
  Option,
  Screen,
} from './flow.js';
import { hoursFacts, outsideHoursKey, printHours } from './opening-hours.js';
import type { Position } from './position.js';

/** Every list that operations of a flow return, by name. */
export function listsOf({ operations = {} }: Pick<Flow, 'operations'>): ReadonlyMap<string, DeclaredList> {
  const declared = Object.values(operations).flatMap((operation) => Object.values(operation.lists ?? {}));
  return new Map(declared.map((list) => [list.name, list]));
}

/** The list that a result of an operation returns. */
export function listOfResult({ lists = {} }: Pick<Operation, 'lists'>, result: string): DeclaredList | undefined {
  return Object.hasOwn(lists, result) ? lists[result] : undefined;
}

/** The list that a screen offers, if any. */
export function listOn(screen: Screen): MenuScreen['list'] {
  return screen.kind === 'menu' ? screen.list : undefined;
}

/** The fields of the items that a screen offers. */
export function fieldsOn(flow: Flow, screen: Screen): Readonly<Record<string, ListField>> {
  const from = listOn(screen)?.from;
  return (from === undefined ? undefined : listsOf(flow).get(from)?.fields) ?? {};
}

/** Facts that a screen sets by a non-secret typed value or by the chosen item. */
export function factsSetOn(flow: Flow, screen: Screen): readonly string[] {
  if (screen.kind === 'entry') return screen.entry.secret ? [] : [screen.entry.name];
  return Object.keys(fieldsOn(flow, screen));
}

/** Items that a screen offers in a session, in the order of their keys, which begin with 1. */
export function itemsOn(screen: Screen, position: Pick<Position, 'lists'>): readonly Facts[] {
  const list = listOn(screen);
  if (list === undefined || !Object.hasOwn(position.lists ?? {}, list.from)) return [];
  return position.lists?.[list.from] ?? [];
}

/** Transition of the item with a typed key: its fields become facts, its words choices. Undefined if no item has this key. */
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

/** The lists of a screen at full length, where each item has these facts. */
export function fullLists(flow: Flow, screen: Screen, facts: Facts, most?: number): Lists | undefined {
  const from = listOn(screen)?.from;
  const list = from === undefined ? undefined : listsOf(flow).get(from);
  if (list === undefined) return undefined;
  const item = Object.fromEntries(Object.keys(list.fields).map((name) => [name, facts[name] ?? `{${name}}`]));
  return { [list.name]: Array.from({ length: most ?? list.most }, () => item) };
}

/** Every entry of a screen, printed or not, without the items of a list. */
export function optionsOf(screen: Screen): readonly Option[] {
  return screen.kind === 'closing' ? [] : [...screen.options, ...screen.navigation];
}

/** Whether a screen needs neither a log-in nor a secret typed before. */
export function isOpenToAll(flow: Flow, state: string): boolean {
  const screen = flow.screens[state];
  if (screen === undefined) return false;
  if (screen.kind === 'closing') return true;
  if (screen.authenticated === true) return false;
  return screen.kind === 'menu' || !(screen.entry.secret || screen.holdsSecret === true);
}

/** Target of a typed text or of a chosen item; a screen has at most one of them. */
export function nextOf(screen: Screen): EntryScreen['entry']['next'] | ListOptions | undefined {
  return screen.kind === 'entry' ? screen.entry.next : listOn(screen);
}

/** Every operation that a screen uses. */
export function effectsOf(screen: Screen): readonly EffectUse[] {
  const next = nextOf(screen);
  const used = optionsOf(screen).filter((option) => 'effect' in option);
  return next !== undefined && 'effect' in next ? [...used, next] : used;
}

/** Every target of a screen with its reason, apart from the exit. */
export function landingsOf(screen: Screen): readonly Landing[] {
  return leadsOf(screen).map(({ landing }) => landing);
}

/** A transition from a screen: its target and the facts that it sets. */
export interface Transition {
  readonly landing: Landing;
  /** Trigger: a key, a list, the name of an entry or of its refusal, or an operation and its result. */
  readonly by: string;
  /** Set by a typed value, by the fields of a chosen item, or by the result of an operation; including lists. */
  readonly sets: readonly string[];
  /** The facts among them set by the result of an operation: a reason may name them even if the next screen drops them. */
  readonly reasonFacts: readonly string[];
}

/** Every transition from a screen, apart from the exit; one without a target stays on the screen. */
export function transitionsOf(flow: Flow, screen: Screen): readonly Transition[] {
  const next = nextOf(screen);
  const typed = factsSetOn(flow, screen);
  return leadsOf(screen).map(({ by, landing, of, result = '', reasonFacts: own = [] }) => {
    const reasonFacts = of === undefined ? own : Object.keys(flow.operations?.[of.effect]?.results[result] ?? {});
    const before = (of ?? landing) === next ? typed : [];
    const list = of && listOfResult(flow.operations?.[of.effect] ?? {}, result);
    return { landing, by, reasonFacts, sets: [...before, ...reasonFacts, ...(list ? [list.name] : [])] };
  });
}

/** Open screens from which no keys lead to the start or to a closing screen, with the screens they lead to instead. */
export function withoutWayOut(flow: Flow): readonly { readonly state: string; readonly ahead: readonly string[] }[] {
  const leads = new Map(
    Object.entries(flow.screens).map(([state, screen]) => [
      state,
      landingsOf(screen).flatMap(({ to }) => (to === undefined || to === state ? [] : [to])),
    ]),
  );
  const ways = (state: string) => leads.get(state) ?? [];
  return Object.keys(flow.screens).flatMap((state) => {
    const seen = new Set([state]);
    for (const one of seen) for (const to of ways(one)) seen.add(to);
    const all = [...seen];
    const ends = all.some(
      (one) => one === flow.start || flow.screens[one] === undefined || flow.screens[one].kind === 'closing',
    );
    // A screen without transitions is reported separately.
    return ends || all.some((one) => ways(one).length === 0) ? [] : [{ state, ahead: all.slice(1) }];
  });
}

interface Lead extends Pick<Transition, 'landing' | 'by'> {
  /** The operation with this result. */
  readonly of?: EffectUse;
  readonly result?: string;
  /** Facts that only its reason can name. */
  readonly reasonFacts?: readonly string[];
}

function leadsOf(screen: Screen): readonly Lead[] {
  const keys = optionsOf(screen).flatMap((option): readonly Lead[] => {
    const { hours } = option;
    if (hours === undefined) return keyLeads(option);
    const refused = { landing: { reason: outsideHoursKey }, reasonFacts: Object.keys(hoursFacts(hours)) };
    return [
      ...keyLeads(option, `${option.key} (${printHours(hours)})`),
      { by: `${option.key} outside its hours`, ...refused },
    ];
  });
  const list = listOn(screen);
  if (list !== undefined) {
    return [...keys, ...('to' in list ? [{ by: list.from, landing: list }] : resultsOf(list, `${list.from} `))];
  }
  if (screen.kind !== 'entry') return keys;
  const { refusals, next, name } = screen.entry;
  const refused = Object.entries(refusals).map(([by, landing]) => ({ by, landing }));
  return [...keys, ...refused, ...('to' in next ? [{ by: name, landing: next }] : resultsOf(next))];
}

function keyLeads(option: Option, by: string = option.key): readonly Lead[] {
  if ('refuse' in option) return [{ by, landing: { reason: option.refuse } }];
  if ('to' in option) return [{ by, landing: option }];
  return 'effect' in option ? resultsOf(option, `${by} `) : [];
}

function resultsOf(of: EffectUse, key = ''): readonly Lead[] {
  return Object.entries(of.results).map(([result, landing]) => ({
    by: `${key}${of.effect}: ${result}`,
    landing,
    of,
    result,
  }));
}

/** Whether an operation involves an external system: such a system receives no secret and cannot log in a subscriber. */
export function goesOut({ kind, call }: Operation): boolean {
  return kind === 'query' || call !== undefined;
}
