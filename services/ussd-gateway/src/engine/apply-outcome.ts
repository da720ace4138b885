import type { Lists } from './declarations.js';
import type { EffectUse, Facts, Flow, Screen } from './flow.js';
import type { EffectOutcome, Position } from './position.js';
import { isOpenToAll, listOn, optionsOf } from './screen-options.js';
import { byEntry, byList, kept, land } from './step.js';

/** Where an effect was asked for. */
export interface AskedAt {
  readonly position: Position;
  /** The key of an option, `entry` or `list`. */
  readonly by: string;
}

/**
 * Where an effect leads. Another session of the same subscriber than the one that asked is told what became of it: on the screen it led to, or,
 * where that needs a log-in or a secret, on the first one with the reason on top.
 *
 * @returns undefined when the flow does not know the result any more.
 */
export function applyOutcome(
  flow: Flow,
  { position, by }: AskedAt,
  outcome: EffectOutcome,
  facts: Facts,
  isOwn = true,
): Position | undefined {
  const screen = flow.screens[position.state];
  if (screen === undefined) return undefined;
  const asks = askedBy(screen, by);
  if (asks === undefined || !('effect' in asks) || !Object.hasOwn(asks.results, outcome.result)) return undefined;
  const landing = asks.results[outcome.result] ?? {};
  if (isOwn) return land(flow, position, landing, facts, outcome);
  const { account: _loggedIn, ...from } = position;
  const { account: _logsIn, ...told } = outcome;
  const to = landing.to !== undefined && isOpenToAll(flow, landing.to) ? landing.to : flow.start;
  return land(flow, from, { ...landing, to }, facts, told);
}

/** The position that an effect is stored with: without the lists that no screen after its results offers. */
export function withoutUnusedLists(flow: Flow, { results }: EffectUse, position: Position): Position {
  const { lists: known, ...from } = position;
  if (known === undefined) return position;
  const needed = Object.values(results).flatMap(({ to = position.state }) => flow.screens[to]?.keeps ?? []);
  const lists = kept<Lists[string]>(needed, known);
  return lists === undefined ? from : { ...from, lists };
}

function askedBy(screen: Screen, by: string) {
  if (by === byEntry && screen.kind === 'entry') return screen.entry.next;
  return by === byList ? listOn(screen) : optionsOf(screen).find(({ key }) => key === by);
}
