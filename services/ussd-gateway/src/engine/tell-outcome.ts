import { enter, land } from './enter.js';
import { type Facts, type Flow, isOpenToAll, type Landing, optionsOf } from './flow.js';
import type { EffectOutcome, Position } from './position.js';
import { byEntry } from './step.js';

/** Where an effect was asked for. */
export interface AskedAt {
  readonly position: Position;
  /** The key of an option, or `entry`. */
  readonly by: string;
}

/** Where an effect leads in the session that asked for it. @throws {Error} for a result that the screen does not know. */
export function landOutcome(flow: Flow, asked: AskedAt, outcome: EffectOutcome, facts: Facts): Position {
  const landing = landingOf(flow, asked, outcome.result);
  if (landing === undefined) throw new Error(`${asked.position.state} does not know the result "${outcome.result}"`);
  return land(flow, asked.position, landing, facts, outcome);
}

/**
 * Where another session of the same subscriber is told what became of an effect: on the screen it led to, or, where that needs a log-in
 * or a secret, on the first one with the reason on top. Undefined when the flow does not know the result any more.
 */
export function tellOutcome(flow: Flow, asked: AskedAt, outcome: EffectOutcome, facts: Facts): Position | undefined {
  const landing = landingOf(flow, asked, outcome.result);
  if (landing === undefined) return undefined;
  const { account: _loggedIn, ...from } = asked.position;
  const { account: _logsIn, ...told } = outcome;
  const to = landing.to !== undefined && isOpenToAll(flow, landing.to) ? landing.to : flow.start;
  return land(flow, from, { ...landing, to }, facts, told);
}

/** The screen that says that an effect is under way. */
export function standBy(flow: Flow, from: Position, key: string): Position {
  return { ...enter(flow, from, flow.working ?? flow.start), underWay: key };
}

function landingOf(flow: Flow, { position, by }: AskedAt, result: string): Landing | undefined {
  const screen = flow.screens[position.state];
  if (screen === undefined) return undefined;
  const asks =
    screen.kind === 'entry' && by === byEntry ? screen.entry.next : optionsOf(screen).find(({ key }) => key === by);
  if (asks === undefined || !('effect' in asks)) return undefined;
  return Object.hasOwn(asks.results, result) ? asks.results[result] : undefined;
}
