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
import { closedTextKey, hoursFacts, printHours } from './opening-hours.js';
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

/** Every entry of a screen, printed or not; the items of a list are none. */
export function optionsOf(screen: Screen): readonly Option[] {
  return screen.kind === 'closing' ? [] : [...screen.options, ...screen.navigation];
}

/** Whether a screen is for somebody who is not logged in and has typed no secret before. */
export function isOpenToAll(flow: Flow, state: string): boolean {
  const screen = flow.screens[state];
  if (screen === undefined) return false;
  if (screen.kind === 'closing') return true;
  if (screen.authenticated === true) return false;
  return screen.kind === 'menu' || !(screen.entry.secret || screen.holdsSecret === true);
}

/** Where a text that is typed on a screen leads, or an item that is chosen there; a screen has one of them at most. */
export function nextOf(screen: Screen): EntryScreen['entry']['next'] | ListOptions | undefined {
  return screen.kind === 'entry' ? screen.entry.next : listOn(screen);
}

/** Every operation that a screen uses. */
export function effectsOf(screen: Screen): readonly EffectUse[] {
  const next = nextOf(screen);
  const used = optionsOf(screen).filter((option) => 'effect' in option);
  return next !== undefined && 'effect' in next ? [...used, next] : used;
}

/** Every place that a screen can lead to, apart from the exit, with the reason given there. */
export function landingsOf(screen: Screen): readonly Landing[] {
  return leadsOf(screen).map(({ landing }) => landing);
}

/** A way that leads from a screen: where to, and the facts that become known on it. */
export interface WayOn {
  readonly landing: Landing;
  /** What leads there: a key, a list, the name of an entry or of why it is refused, or an operation and its result. */
  readonly by: string;
  /** By what was typed, by the fields of a chosen item, or by an operation's result; lists too. */
  readonly gives: readonly string[];
  /** Of these, what an operation's result tells: a reason may name it, whatever the next screen keeps. */
  readonly tells: readonly string[];
}

/** Every way on from a screen, apart from the exit; one that leads nowhere stays on it. */
export function waysOn(flow: Flow, screen: Screen): readonly WayOn[] {
  const next = nextOf(screen);
  const given = givenOn(flow, screen);
  return leadsOf(screen).map(({ by, landing, of, result = '', tells: own = [] }) => {
    const tells = of === undefined ? own : Object.keys(flow.operations?.[of.effect]?.results[result] ?? {});
    const before = (of ?? landing) === next ? given : [];
    const list = of && listOfResult(flow.operations?.[of.effect] ?? {}, result);
    return { landing, by, tells, gives: [...before, ...tells, ...(list ? [list.name] : [])] };
  });
}

/** The open screens from which no keys lead to the start or to a closing screen, with the screens that they lead to instead. */
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
    // A screen with no way on is reported by itself.
    return ends || all.some((one) => ways(one).length === 0) ? [] : [{ state, ahead: all.slice(1) }];
  });
}

interface Lead extends Pick<WayOn, 'landing' | 'by'> {
  /** The operation that has it for a result. */
  readonly of?: EffectUse;
  readonly result?: string;
  /** Facts that only its reason can name. */
  readonly tells?: readonly string[];
}

function leadsOf(screen: Screen): readonly Lead[] {
  const keys = optionsOf(screen).flatMap((option): readonly Lead[] => {
    const { hours } = option;
    if (hours === undefined) return keyLeads(option);
    const closed = { landing: { reason: closedTextKey }, tells: Object.keys(hoursFacts(hours)) };
    return [...keyLeads(option, `${option.key} (${printHours(hours)})`), { by: `${option.key} closed`, ...closed }];
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
    ...{ by: `${key}${of.effect}: ${result}`, landing },
    ...{ of, result },
  }));
}

/** Whether somebody outside of this service learns of an operation: they get no secret, and log nobody in. */
export function goesOut({ kind, call }: Operation): boolean {
  return kind === 'query' || call !== undefined;
}
