import type { Flow } from './flow.js';
import { type Place, type Position, place, startOf } from './position.js';
import { effectsOf, isOpenToAll, optionsOf } from './ways-on.js';

/**
 * Where a session that is lost now may be taken up by the next dial. Undefined within a secret step or a log-in, where
 * what the user wanted is done, and where it would save nobody anything: on the first screen and those a key away from it.
 */
export function placeToResume(flow: Flow, position: Position): Place | undefined {
  if (position.state === flow.resumeOffer) return position.resume;
  return resumableStates(flow).has(position.state) ? place.parse(position) : undefined;
}

/** The screen that asks whether to go on at a place, or undefined if the flow cannot offer it. */
export function offerToResume(flow: Flow, left: Place): Position | undefined {
  const { resumeOffer } = flow;
  if (resumeOffer === undefined || !resumableStates(flow).has(left.state)) return undefined;
  return { ...startOf(flow, left.language), state: resumeOffer, resume: left };
}

const resumableByFlow = new WeakMap<Flow, ReadonlySet<string>>();

/** Found once for each flow: it is asked for at every hop. */
function resumableStates(flow: Flow): ReadonlySet<string> {
  const known = resumableByFlow.get(flow);
  if (known !== undefined) return known;
  const others = new Set([...nearStart(flow), ...outcomes(flow)]);
  const states = Object.keys(flow.screens).filter((state) => isOpen(flow, state) && !others.has(state));
  const found = new Set(states);
  resumableByFlow.set(flow, found);
  return found;
}

/** Whether somebody may come to this screen by a dial alone. */
function isOpen(flow: Flow, state: string): boolean {
  if (flow.screens[state]?.kind === 'closing' || state === flow.resumeOffer || state === flow.working) return false;
  return isOpenToAll(flow, state);
}

function nearStart(flow: Flow): string[] {
  const start = flow.screens[flow.start];
  const keys = start === undefined ? [] : optionsOf(start);
  return [flow.start, ...keys.flatMap((option) => ('to' in option ? [option.to] : []))];
}

/** The screens that tell what was done. What was only asked, of the chain, may be looked at again. */
function outcomes(flow: Flow): string[] {
  return Object.values(flow.screens)
    .flatMap(effectsOf)
    .filter(({ effect }) => flow.operations?.[effect]?.kind !== 'query')
    .flatMap(({ results }) => Object.values(results).flatMap(({ to }) => to ?? []));
}
