import { byEntry, byList, land, pick, type StepContext } from './apply-input.js';
import type { Lists } from './declarations.js';
import type { EffectUse, Flow, Screen } from './flow.js';
import type { EffectOutcome, Position } from './position.js';
import { isOpenToAll, listOn, optionsOf } from './screen-options.js';

/** Where an effect was started. */
export interface EffectStart {
  readonly position: Position;
  /** Key of the option, `entry` or `list`. */
  readonly by: string;
}

/**
 * Position after the result of an effect. Another session of the same subscriber also gets the result: on the target
 * screen, or, if that screen needs a log-in or a secret, as a notice on the first screen.
 *
 * @returns undefined if the flow no longer has this result.
 */
export function applyOutcome(
  flow: Flow,
  { position, by }: EffectStart,
  outcome: EffectOutcome,
  context: StepContext,
  isOwn = true,
): Position | undefined {
  const screen = flow.screens[position.state];
  if (screen === undefined) return undefined;
  const use = effectAt(screen, by);
  if (use === undefined || !('effect' in use) || !Object.hasOwn(use.results, outcome.result)) return undefined;
  const landing = use.results[outcome.result] ?? {};
  if (isOwn) return land(flow, position, landing, context, outcome);
  const { account: _loggedIn, ...from } = position;
  const { account: _logsIn, ...published } = outcome;
  const to = landing.to !== undefined && isOpenToAll(flow, landing.to) ? landing.to : flow.start;
  return land(flow, from, { ...landing, to }, context, published);
}

/** Position to store with an effect: without the lists that no later screen offers. */
export function withoutUnusedLists(flow: Flow, { results }: EffectUse, position: Position): Position {
  const { lists: known, ...from } = position;
  if (known === undefined) return position;
  const needed = Object.values(results).flatMap(({ to = position.state }) => flow.screens[to]?.carries ?? []);
  const lists = pick<Lists[string]>(needed, known);
  return lists === undefined ? from : { ...from, lists };
}

function effectAt(screen: Screen, by: string) {
  if (by === byEntry && screen.kind === 'entry') return screen.entry.next;
  return by === byList ? listOn(screen) : optionsOf(screen).find(({ key }) => key === by);
}
