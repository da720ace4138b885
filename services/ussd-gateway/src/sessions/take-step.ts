import { land } from '../engine/enter.js';
import type { Facts, Flow } from '../engine/flow.js';
import type { Position } from '../engine/position.js';
import { step } from '../engine/step.js';
import type { HopEffects } from './hop-effects.js';

/** What a step may need beside the flow. */
export interface StepContext {
  readonly facts: Facts;
  readonly phoneNumber: string;
  /** The secret held for this screen. */
  readonly held: string | undefined;
  /** Names this hop for its effect. Asked for by hops that have one: few do. */
  readonly effectKey: () => string;
  readonly effects: HopEffects;
}

export interface StepTaken {
  readonly position: Position;
  /** To be held, sealed, as long as the session is on this screen. */
  readonly secret?: string;
}

/** Runs one input, and its effect if it has one. @throws whatever the effect rejects with. */
export async function takeStep(flow: Flow, here: Position, input: string, context: StepContext): Promise<StepTaken> {
  const taken = step(flow, here, input, context.facts, context.held);
  if (taken.kind === 'moved') return taken;
  const { position, use, secret } = taken;
  const outcome = await context.effects.run({
    effect: use.effect,
    query: flow.queries?.[use.effect],
    key: context.effectKey(),
    phoneNumber: context.phoneNumber,
    language: position.language,
    account: position.account,
    entries: position.entries ?? {},
    with: use.with ?? {},
    secret,
  });
  const landing = use.results[outcome.result];
  if (landing === undefined) throw new Error(`effect ${use.effect} gave the unknown result "${outcome.result}"`);
  return { position: land(flow, position, landing, context.facts, outcome) };
}
