import { land } from './enter.js';
import type { Facts, Flow } from './flow.js';
import type { Position } from './position.js';
import { step } from './step.js';

/**
 * Where a list of inputs leads. It stops at the first screen that is not a menu, and before the first effect: what a
 * lost session did there, or what a shortcut dial asks for, is for the user to type again, and the screen says why.
 */
export function replay(flow: Flow, start: Position, inputs: readonly string[], facts: Facts): Position {
  let position = start;
  for (const input of inputs) {
    const screen = flow.screens[position.state];
    if (screen === undefined || screen.kind === 'closing') return position;
    const next = screen.kind === 'menu' ? step(flow, position, input, facts) : undefined;
    if (next?.kind !== 'moved') return land(flow, position, { reason: flow.interrupted }, facts);
    position = next.position;
  }
  return position;
}
