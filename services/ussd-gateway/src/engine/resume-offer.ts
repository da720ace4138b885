import type { Flow } from './flow.js';
import { type Place, type Position, startOf } from './position.js';
import { effectsOf, isOpenToAll, optionsOf } from './screen-options.js';

/**
 * Place where the next dial may resume a lost session. Undefined within a secret step or a log-in, after a completed
 * act, and where resuming saves no key press: on the first screen and on those that one key reaches from it.
 */
export function placeToResume(flow: Flow, position: Position): Place | undefined {
  if (position.state === flow.resumeOffer) return position.resume;
  const { state, language, choices, page, entries, lists } = position;
  if (!resumableStates(flow).has(state)) return undefined;
  return { state, language, choices, page, entries, ...(lists && { lists }) };
}

/** Screen that offers to resume at a place; undefined if the flow cannot offer it. */
export function offerToResume(flow: Flow, left: Place): Position | undefined {
  const { resumeOffer } = flow;
  if (resumeOffer === undefined || !resumableStates(flow).has(left.state)) return undefined;
  return { ...startOf(flow, left.language), state: resumeOffer, resume: left };
}

const resumableByFlow = new WeakMap<Flow, ReadonlySet<string>>();

/** Computed once per flow: it is needed at every hop. */
function resumableStates(flow: Flow): ReadonlySet<string> {
  const states = resumableByFlow.get(flow) ?? findResumable(flow);
  resumableByFlow.set(flow, states);
  return states;
}

/** Screens that a dial alone can reach and that show no result of an act. */
function findResumable(flow: Flow): ReadonlySet<string> {
  const { screens, start, resumeOffer, working, operations } = flow;
  const nearStart = screens[start] === undefined ? [] : optionsOf(screens[start]);
  // A query of the chain can be repeated.
  const done = Object.values(screens)
    .flatMap(effectsOf)
    .filter(({ effect }) => operations?.[effect]?.kind !== 'query')
    .flatMap(({ results }) => Object.values(results));
  const others = new Set([start, resumeOffer, working, ...[...nearStart, ...done].map((way) => 'to' in way && way.to)]);
  const isOpen = (state: string) => screens[state]?.kind !== 'closing' && isOpenToAll(flow, state);
  return new Set(Object.keys(screens).filter((state) => isOpen(state) && !others.has(state)));
}
