import type { RequestingSession, RunCheck, StoredEffect, Subscriber } from '../effects/effect.js';
import type { EffectToRun } from '../effects/effect-runner.js';
import { applyInput, enter, land, replay, type StepContext } from '../engine/apply-input.js';
import { applyOutcome, withoutUnusedLists } from '../engine/apply-outcome.js';
import { unknownNetwork } from '../engine/caller-facts.js';
import { webhookEffect } from '../engine/declarations.js';
import type { Interpretation } from '../engine/find-new-input.js';
import type { Act, Facts, Flow, Operation, Query, QueryRequest } from '../engine/flow.js';
import { type EffectOutcome, flowNameOf, type Position, startOf } from '../engine/position.js';
import { messagesOf, queueEffect } from '../engine/texts.js';
import { tenantOf } from '../session-scope.js';
import { inputsOf } from './classify-hop.js';
import type { Caller, FindCaller } from './find-caller.js';
import { findFlow } from './find-flow.js';
import type { SessionRecord } from './session-record.js';

/** Systems outside of the flow. */
export interface Outside {
  readonly findCaller: FindCaller;
  /** Answers a query by its connector. */
  readonly runQuery: (query: Query, request: QueryRequest) => Promise<EffectOutcome>;
  readonly checks: Readonly<Record<string, RunCheck>>;
  readonly effectRunner: {
    act(effect: EffectToRun, waitMs: number): Promise<StoredEffect>;
    poll(key: string, waitMs: number): Promise<StoredEffect | undefined>;
  };
}

/** The context of a step, and what finds and stores the effects of its hop. */
export interface MoveContext extends StepContext {
  readonly outside: Outside;
  /** Active flows; a dial begins on the first. */
  readonly flows: readonly [Flow, ...Flow[]];
  readonly subscriber: Subscriber;
  /** A look-up of the caller that is already running. */
  readonly caller: Promise<Caller> | undefined;
  /** Identifies this dial. */
  readonly nonce: string;
  readonly session: RequestingSession;
  /** The stored session, if this hop continues it. */
  readonly origin: SessionRecord | undefined;
  /** Place to resume a lost session by a dial. */
  readonly offered: { readonly flow: Flow; readonly position: Position } | undefined;
  /** Identifies this hop, independent of its text. */
  readonly hopKey: () => string;
  /** Identifies this hop with this text. */
  readonly textKey: () => string;
  /** Longest wait of this hop for an effect, in ms. */
  readonly waitMs: () => number;
}

export interface Moved {
  readonly flow: Flow;
  readonly position: Position;
  /** To store, sealed, while the session is on this screen. */
  readonly secret?: string | undefined;
  /** The effect with the outcome on this screen. */
  readonly shownEffect?: string;
  /** The dial was served without a look-up of its caller: an outcome may be unacknowledged. */
  readonly isCallerUnknown?: boolean | undefined;
}

type Move = Extract<Interpretation, { kind: 'dial' | 'input' | 'replay' }>;

/**
 * Finds the next position of a session.
 * @throws the error of a check, or of an effect that could not be started: nothing was changed then.
 */
export function nextPosition(move: Move, context: MoveContext): Moved | Promise<Moved> {
  const { origin, flows } = context;
  if (origin === undefined) return begin(move, context);
  const flow = findFlow(origin.flow, flows) ?? flows[0];
  if (move.kind === 'input') return takeInput(move.input, origin.position, flow, context);
  return { flow, position: replay(flow, origin.position, inputsOf(move), context) };
}

/** Begins a session: with an outcome that was not acknowledged, else with the offer to resume, else with the first screen. */
async function begin(move: Move, context: MoveContext): Promise<Moved> {
  const { outside, subscriber, offered, flows } = context;
  const [flow] = flows;
  const {
    language,
    unacknowledged,
    isUnknown: isCallerUnknown,
  } = await (context.caller ?? outside.findCaller(subscriber));
  const itsFlow = unacknowledged && findFlow(unacknowledged.place.flow, flows);
  if (unacknowledged !== undefined && itsFlow !== undefined) {
    const known = (await outside.effectRunner.poll(unacknowledged.key, context.waitMs())) ?? unacknowledged;
    const moved = moveByEffect(known, itsFlow, known.place.position, context);
    if (moved !== undefined) return moved;
  }
  if (move.kind === 'dial') return { ...(offered ?? { flow, position: startOf(flow, language) }), isCallerUnknown };
  return { flow, position: replay(flow, startOf(flow, language), inputsOf(move), context), isCallerUnknown };
}

async function takeInput(input: string, from: Position, flow: Flow, context: MoveContext): Promise<Moved> {
  const { facts, outside, subscriber, waitMs } = context;
  const taken = applyInput(flow, from, input, context);
  if (taken.kind === 'moved') return { flow, position: taken.position, secret: taken.secret };
  if (taken.kind === 'polls') {
    const known = await outside.effectRunner.poll(taken.key, waitMs());
    return (known && moveByEffect(known, flow, from, context)) ?? { flow, position: startOf(flow, from.language) };
  }
  const { use, position, by, secret } = taken;
  const { effect, with: values = {} } = use;
  const { language, account } = position;
  const { phoneNumber } = subscriber;
  const service = tenantOf(subscriber.aggregator);
  const operation = flow.operations?.[effect];
  const entries: Facts = { ...networkFor(operation, facts), ...position.entries };
  const requestAs = (key: string) => ({
    effect,
    key,
    phoneNumber,
    service,
    language,
    account,
    entries,
    with: values,
    secret,
  });
  if (operation?.kind === 'act') {
    const messages = messagesOf(flow, use, language, facts);
    const trimmed = withoutUnusedLists(flow, use, position);
    const { call } = operation;
    const { nonce, session } = context;
    const place = { flow: flowNameOf(flow), nonce, position: trimmed, by, call, messages };
    const request = { ...requestAs(context.hopKey()), effect: effectOf(operation, effect) };
    const known = await outside.effectRunner.act({ subscriber, place, request, session }, waitMs());
    return moveByEffect(known, flow, from, context) ?? { flow, position: startOf(flow, from.language) };
  }
  const outcome =
    operation?.kind === 'query'
      ? await outside.runQuery(operation, {
          key: context.textKey(),
          flow: flow.id,
          screen: position.state,
          phoneNumber,
          language,
          entries,
          with: values,
        })
      : await outside.checks[effect]?.(requestAs(context.textKey()));
  const landing = outcome && use.results[outcome.result];
  if (landing === undefined) throw new Error(`${effect} gave the unknown result "${outcome?.result}"`);
  return { flow, position: land(flow, position, landing, context, outcome) };
}

/** The caller's network, for an operation that takes it. */
function networkFor(operation: Operation | undefined, { network = unknownNetwork }: Facts): Facts {
  return operation?.takes?.includes('network') === true ? { network } : {};
}

/** The name of the effect that runs an act: all acts of one webhook have one name, and all messages. */
function effectOf({ call, message }: Act, operation: string): string {
  if (call !== undefined) return webhookEffect(call.webhook);
  return message === undefined ? operation : queueEffect;
}

/**
 * Target of an effect of this session, or of an earlier one of the subscriber. Undefined if its outcome can no longer
 * be shown.
 *
 * @throws {Error} for a result that the requesting screen does not have.
 */
function moveByEffect(
  { key, place, outcome }: StoredEffect,
  current: Flow,
  from: Position,
  context: MoveContext,
): Moved | undefined {
  const { flows, nonce } = context;
  if (outcome === undefined) {
    const position = { ...enter(current, from, current.working ?? current.start), underWay: key };
    return { flow: current, position };
  }
  const flow = findFlow(place.flow, flows) ?? current;
  const isOwn = place.nonce === nonce;
  const position = applyOutcome(flow, place, outcome, context, isOwn);
  if (position === undefined && isOwn) throw new Error(`${place.position.state} does not know "${outcome.result}"`);
  return position && { flow, position, shownEffect: key };
}
