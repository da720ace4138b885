import { asciiDigits } from './ascii-digits.js';
import type { Lists } from './declarations.js';
import {
  type EffectUse,
  type EntryScreen,
  engineKeys,
  engineTexts,
  type Facts,
  type Flow,
  type Landing,
  type Option,
  type Screen,
} from './flow.js';
import { hoursFacts, isOpenAt, outsideHoursKey } from './opening-hours.js';
import type { EffectOutcome, Position } from './position.js';
import { choosingItem, listOn } from './screen-options.js';
import { show } from './show.js';

/** Result of one input. */
export type Step =
  /** A screen; `secret` is held, sealed, while the session is on it. */
  | { readonly kind: 'moved'; readonly position: Position; readonly secret?: string }
  /** Polls the effect of this key. */
  | { readonly kind: 'polls'; readonly key: string }
  /** An effect to run; its result determines the target from `position`. */
  | {
      readonly kind: 'effect';
      readonly use: EffectUse;
      /** Trigger: the key of an option, `entry` or `list`. */
      readonly by: string;
      readonly position: Position;
      /** The typed value, if it is a secret. */
      readonly secret?: string;
    };

/** What a step depends on besides its flow, its position and its input. */
export interface StepContext {
  /** Facts of the service and of the caller. */
  readonly facts: Facts;
  /** Secret stored for this screen. */
  readonly secret?: string | undefined;
  /** Arrival of the hop by the wall clock, in ms since 1970. */
  readonly arrivedAtMs: number;
}

/** Runs one input on a position. Pure and total: each input leads to a screen of the flow or to an effect. */
export function applyInput(flow: Flow, position: Position, typed: string, context: StepContext): Step {
  const input = cleanInput(typed);
  const pressed = asciiDigits(input);
  if (pressed === engineKeys.exit) return moved(enter(flow, position, flow.exit));
  const screen = flow.screens[position.state];
  if (screen === undefined || screen.kind === 'closing') return moved(position);
  const option =
    screen.options.find(({ key }) => key === pressed) ?? screen.navigation.find(({ key }) => key === pressed);
  if (option !== undefined) return follow(flow, position, option, context);
  const chosen = chooseItem(flow, screen, { position, pressed, context });
  if (chosen !== undefined) return chosen;
  const turned = turnPage(flow, position, pressed, context);
  if (turned !== undefined) return moved(turned);
  if (screen.kind === 'entry') return takeEntry(flow, screen, { position, input, context });
  return moved(land(flow, position, { reason: engineTexts.wrongChoice }, context));
}

/**
 * Result of a list of inputs. Stops at the first screen that is not a menu, and before the first effect: the user has
 * to type these inputs again, and the screen shows the reason.
 */
export function replay(flow: Flow, start: Position, inputs: readonly string[], context: StepContext): Position {
  let position = start;
  for (const input of inputs) {
    const screen = flow.screens[position.state];
    if (screen === undefined || screen.kind === 'closing') return position;
    const next = screen.kind === 'menu' ? applyInput(flow, position, input, context) : undefined;
    if (next?.kind !== 'moved') return land(flow, position, { reason: flow.interrupted }, context);
    position = next.position;
  }
  return position;
}

/** Trigger of an effect by a typed value, next to the keys of options. */
export const byEntry = 'entry';

/** Trigger of an effect by the chosen item of a list. */
export const byList = 'list';

/** Most inputs match and need no cleaning. */
const plainKeys = /^[0-9*]*$/;

/** Removes the blanks and control characters that keypads and gateways add. */
function cleanInput(typed: string): string {
  return plainKeys.test(typed) ? typed : typed.replaceAll(/[\p{Control}\p{Format}]/gu, '').trim();
}

function moved(position: Position): Step {
  return { kind: 'moved', position };
}

function follow(flow: Flow, position: Position, option: Option, context: StepContext): Step {
  const { hours } = option;
  if (hours !== undefined && !isOpenAt(hours, context.arrivedAtMs)) {
    const outsideHours = { result: '', facts: hoursFacts(hours) };
    return moved(land(flow, position, { reason: outsideHoursKey }, context, outsideHours));
  }
  if ('effect' in option) {
    return { kind: 'effect', use: option, by: option.key, position: { ...position, notice: undefined } };
  }
  if ('refuse' in option) return moved(land(flow, position, { reason: option.refuse }, context));
  if ('looksAgain' in option) {
    const { underWay } = position;
    return underWay === undefined ? moved(enter(flow, position, flow.start)) : { kind: 'polls', key: underWay };
  }
  if ('resumes' in option) return moved(position.resume ?? enter(flow, position, flow.start));
  const { choose } = option;
  const choices = choose === undefined ? position.choices : { ...position.choices, [choose.name]: choose.value };
  return moved(land(flow, { ...position, choices }, option, context));
}

interface Pressed {
  readonly position: Position;
  readonly pressed: string;
  readonly context: StepContext;
}

/** Undefined for a key without an item. */
function chooseItem(flow: Flow, screen: Screen, on: Pressed): Step | undefined {
  const list = listOn(screen);
  const position = choosingItem(flow, screen, on.position, on.pressed);
  if (list === undefined || position === undefined) return undefined;
  return 'effect' in list
    ? { kind: 'effect', use: list, by: byList, position }
    : moved(land(flow, position, list, on.context));
}

interface Typed {
  readonly position: Position;
  readonly input: string;
  readonly context: StepContext;
}

function takeEntry(flow: Flow, screen: EntryScreen, typed: Typed): Step {
  const { entry } = screen;
  const { context } = typed;
  const facts = { ...context.facts, ...typed.position.entries };
  const known = { facts, held: context.secret, language: typed.position.language };
  const read = entry.rule.read(typed.input, known);
  if ('refusal' in read) {
    const landing = entry.refusals[read.refusal] ?? { reason: engineTexts.wrongChoice };
    return moved(land(flow, typed.position, landing, context));
  }
  const secret = entry.secret ? { secret: read.value } : {};
  const entries = entry.secret ? typed.position.entries : { ...typed.position.entries, [entry.name]: read.value };
  const position: Position = { ...typed.position, entries, notice: undefined };
  if ('effect' in entry.next) return { kind: 'effect', use: entry.next, by: byEntry, position, ...secret };
  const target = flow.screens[entry.next.to];
  const holds = target?.kind === 'entry' && target.holdsSecret === true;
  return { kind: 'moved', position: land(flow, position, entry.next, context), ...(holds ? secret : {}) };
}

function turnPage(flow: Flow, position: Position, input: string, { facts }: StepContext): Position | undefined {
  if (input !== engineKeys.more && input !== engineKeys.previous) return undefined;
  const shown = show(flow, position, facts);
  if (input === engineKeys.more) return shown.hasMore ? { ...position, page: position.page + 1 } : undefined;
  return shown.hasPrevious ? { ...position, page: position.page - 1 } : undefined;
}

/** Goes to a screen. Facts that it does not keep are dropped; an authenticated screen needs an account. */
export function enter(flow: Flow, from: Position, state: string): Position {
  const screen = flow.screens[state];
  const { language, choices, account } = from;
  const entered: Position = { state, language, choices, page: 0 };
  if (screen === undefined) return entered;
  const isAuthenticated = screen.kind !== 'closing' && screen.authenticated === true;
  if (isAuthenticated && account === undefined) return enter(flow, from, flow.start);
  const entries = pick(screen.carries, from.entries);
  const lists = from.lists && pick<Lists[string]>(screen.carries, from.lists);
  if (entries === undefined && lists === undefined && !isAuthenticated) return entered;
  return { ...entered, ...(entries && { entries }), ...(lists && { lists }), ...(isAuthenticated ? { account } : {}) };
}

/** Follows a landing, with its reason on top; without a target, to the same page again. */
export function land(
  flow: Flow,
  from: Position,
  landing: Landing,
  { facts }: StepContext,
  outcome?: EffectOutcome,
): Position {
  const reasonFacts = outcome?.facts === undefined || landing.reason === undefined ? {} : { facts: outcome.facts };
  if (landing.to === undefined) {
    if (landing.reason === undefined) return { ...from, notice: undefined };
    // A notice can split only the page that it is on, so the pages before it are the same with and without it.
    const page = show(flow, from, facts).screenPage;
    return { ...from, page, notice: { text: landing.reason, page, ...reasonFacts } };
  }
  const entered = enter(flow, outcome === undefined ? from : changedBy(flow, from, outcome), landing.to);
  return landing.reason === undefined
    ? entered
    : { ...entered, notice: { text: landing.reason, page: 0, ...reasonFacts } };
}

function changedBy(flow: Flow, from: Position, outcome: EffectOutcome): Position {
  const { language = from.language } = outcome;
  return {
    ...from,
    entries: { ...from.entries, ...outcome.facts },
    ...(outcome.lists && { lists: { ...from.lists, ...outcome.lists } }),
    account: outcome.account ?? from.account,
    language: Object.hasOwn(flow.texts, language) ? language : from.language,
  };
}

/** The known values that are still needed; undefined if there are none. */
export function pick<Value = string>(names: readonly string[] = [], known: Readonly<Record<string, Value>> = {}) {
  const entries = Object.entries(known).filter(([name]) => names.includes(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
