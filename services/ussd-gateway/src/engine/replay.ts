import type { Facts, Flow } from './flow.js';
import type { Position } from './position.js';
import { step } from './step.js';

/**
 * Where a list of inputs leads. It stops at the first screen that is not a menu, and before the first effect: what a
 * lost session did there, or what a shortcut dial asks for, is for the user to type again.
 */
export function replay(flow: Flow, start: Position, inputs: readonly string[], facts: Facts): Position {
  let position = start;
  for (const input of inputs) {
    if (flow.screens[position.state]?.kind !== 'menu') break;
    const next = step(flow, position, input, facts);
    if (next.kind !== 'moved') break;
    position = next.position;
  }
  return position;
}
