import type { AskedAct } from '../effects/acts.js';
import type { Check } from '../effects/effect.js';
import type { Subscriber } from '../effects/intent.js';
import type { KnownIntent } from '../effects/intent-store.js';
import { webhookEffect } from '../engine/call.js';
import { unknownNetwork } from '../engine/caller-facts.js';
import { enter, land } from '../engine/enter.js';
import type { Act, Asked, Facts, Flow, Operation, Query } from '../engine/flow.js';
import type { Interpretation } from '../engine/interpret-text.js';
import { landOutcome, withoutUnusedLists } from '../engine/land-outcome.js';
import { messagesOf, queueEffect } from '../engine/messages-of.js';
import type { EffectOutcome } from '../engine/position.js';
import { type Position, startOf } from '../engine/position.js';
import { replay, step } from '../engine/step.js';
import type { Caller, FindCaller } from './find-caller.js';
import { inputsOf } from './recognise-hop.js';
import { findFlow, flowNameOf } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { tenantOf } from './session-scope.js';

/** What a dialogue can ask and do outside of itself. */
export interface Outside {
  readonly findCaller: FindCaller;
  /** Asks whom a query is for. */
  readonly ask: (query: Query, asked: Asked) => Promise<EffectOutcome>;
  readonly checks: Readonly<Record<string, Check>>;
  readonly acts: {
    act(asked: AskedAct, waitMs: number): Promise<KnownIntent>;
    lookAgain(key: string, waitMs: number): Promise<KnownIntent | undefined>;
  };
}

/** A hop that moves its session, and what it moves from. */
export interface Moving {
  /** Undefined where it may neither ask nor do anything. */
  readonly outside: Outside | undefined;
  /** Flows in service; a dial begins on the first. */
  readonly flows: readonly [Flow, ...Flow[]];
  readonly facts: Facts;
  readonly subscriber: Subscriber;
  /** Who that is, where it is being looked up already. */
  readonly caller: Promise<Caller> | undefined;
  /** Tells this dial from all others. */
  readonly nonce: string;
  /** The session as it was, if this hop goes on from there. */
  readonly origin: SessionRecord | undefined;
  /** Where a dial is offered to go on in a lost session. */
  readonly offered: { readonly flow: Flow; readonly position: Position } | undefined;
  /** The secret held for the screen it is on. */
  readonly held: string | undefined;
  /** A name of this hop, of all the texts that it may come with. */
  readonly hopKey: () => string;
  /** A name of this hop and this text. */
  readonly textKey: () => string;
  /** How long this hop can wait for an effect, in ms. */
  readonly waitMs: () => number;
}

export interface Moved {
  readonly flow: Flow;
  readonly position: Position;
  /** To be held, sealed, as long as the session is on this screen. */
  readonly secret?: string | undefined;
  /** The effect whose outcome this screen shows. */
  readonly shownEffect?: string;
}

type Move = Extract<Interpretation, { kind: 'dial' | 'input' | 'replay' }>;

/**
 * Where a hop leads; undefined where that takes more than it may.
 * @throws whatever a check rejects with, or an effect that could not be begun: nothing happened then.
 */
export function moveSession(asked: Move, moving: Moving): Moved | Promise<Moved | undefined> {
  const { origin, flows, facts } = moving;
  if (origin === undefined) return begin(asked, moving);
  const flow = findFlow(origin.flow, flows) ?? flows[0];
  if (asked.kind === 'input') return takeInput(asked.input, origin.position, flow, moving);
  return { flow, position: replay(flow, origin.position, inputsOf(asked), facts) };
}

/** A session that begins: with what its subscriber was not told yet, with the offer to go on, or with the first screen. */
async function begin(asked: Move, moving: Moving): Promise<Moved | undefined> {
  const { outside, subscriber, offered, flows, facts } = moving;
  const [flow] = flows;
  const caller = await (moving.caller ?? outside?.findCaller(subscriber));
  if (caller === undefined) return undefined;
  const { language, unacknowledged } = caller;
  const asking = unacknowledged && findFlow(unacknowledged.place.flow, flows);
  if (unacknowledged !== undefined && asking !== undefined) {
    if (outside === undefined) return undefined;
    const known = (await outside.acts.lookAgain(unacknowledged.key, moving.waitMs())) ?? unacknowledged;
    const told = goOn(known, asking, known.place.position, moving);
    if (told !== undefined) return told;
  }
  if (asked.kind === 'dial') return offered ?? { flow, position: startOf(flow, language) };
  return { flow, position: replay(flow, startOf(flow, language), inputsOf(asked), facts) };
}

async function takeInput(input: string, here: Position, flow: Flow, moving: Moving): Promise<Moved | undefined> {
  const { facts, held, outside, subscriber, waitMs } = moving;
  const taken = step(flow, here, input, facts, held);
  if (taken.kind === 'moved') return { flow, position: taken.position, secret: taken.secret };
  if (outside === undefined) return undefined;
  if (taken.kind === 'looksAgain') {
    const known = await outside.acts.lookAgain(taken.key, waitMs());
    return (known && goOn(known, flow, here, moving)) ?? { flow, position: startOf(flow, here.language) };
  }
  const { use, position, by, secret } = taken;
  const { effect, with: said = {} } = use;
  const { language, account } = position;
  const { phoneNumber } = subscriber;
  const service = tenantOf(subscriber.aggregator);
  const operation = flow.operations?.[effect];
  const entries: Facts = { ...networkFor(operation, facts), ...position.entries };
  const requestAs = (key: string) => ({
    ...{ effect, key, phoneNumber, service, language, account, entries, with: said, secret },
  });
  if (operation?.kind === 'act') {
    const messages = messagesOf(flow, use, language, facts);
    const asking = withoutUnusedLists(flow, use, position);
    const place = { flow: flowNameOf(flow), nonce: moving.nonce, position: asking, by, call: operation.call, messages };
    const request = { ...requestAs(moving.hopKey()), effect: effectOf(operation, effect) };
    const known = await outside.acts.act({ subscriber, place, request }, waitMs());
    return goOn(known, flow, here, moving) ?? { flow, position: startOf(flow, here.language) };
  }
  const outcome =
    operation?.kind === 'query'
      ? await outside.ask(operation, {
          ...{ key: moving.textKey(), flow: flow.id, screen: position.state },
          ...{ phoneNumber, language, entries, with: said },
        })
      : await outside.checks[effect]?.(requestAs(moving.textKey()));
  const landing = outcome && use.results[outcome.result];
  if (landing === undefined) throw new Error(`${effect} gave the unknown result "${outcome?.result}"`);
  return { flow, position: land(flow, position, landing, facts, outcome) };
}

/** The caller's network, where an operation takes it. */
function networkFor(operation: Operation | undefined, { network = unknownNetwork }: Facts): Facts {
  return operation?.takes?.includes('network') === true ? { network } : {};
}

/** The name that an act is run by: all of a webhook, and all messages, have one. */
function effectOf({ call, message }: Act, operation: string): string {
  if (call !== undefined) return webhookEffect(call.webhook);
  return message === undefined ? operation : queueEffect;
}

/**
 * Where an effect leads that this session, or another one of the subscriber, asked for; undefined where nothing can be told of it any more.
 * @throws {Error} for a result that the screen that asked does not know.
 */
function goOn({ key, place, outcome }: KnownIntent, here: Flow, from: Position, moving: Moving): Moved | undefined {
  const { facts, flows, nonce } = moving;
  if (outcome === undefined) {
    return { flow: here, position: { ...enter(here, from, here.working ?? here.start), underWay: key } };
  }
  const flow = findFlow(place.flow, flows) ?? here;
  const isOwn = place.nonce === nonce;
  const position = landOutcome(flow, place, outcome, facts, isOwn);
  if (position === undefined && isOwn) throw new Error(`${place.position.state} does not know "${outcome.result}"`);
  return position && { flow, position, shownEffect: key };
}
