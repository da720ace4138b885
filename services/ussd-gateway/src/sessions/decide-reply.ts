import { ussdFixedReplies } from '@mlango/schemas/ussd';
import { callerFacts } from '../engine/caller-facts.js';
import type { Interpretation } from '../engine/find-new-input.js';
import type { Facts, Flow } from '../engine/flow.js';
import { flowNameOf } from '../engine/position.js';
import { show } from '../engine/show.js';
import { type ClassifyRules, classifyHop, codeDialledBy, type Hop } from './classify-hop.js';
import type { Caller } from './find-caller.js';
import { nextPosition, type Outside } from './next-position.js';
import { type ResumePoint, resumeOfferFor } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import { expiredRetentionMs, type StoredSession } from './session-store.js';

export interface HopRules extends ClassifyRules {
  /** Active flows. Dials begin on the first; the others are older versions for running sessions. */
  readonly flows: readonly [Flow, ...Flow[]];
  readonly facts: Facts;
  /** Replaces `show`, to cache screens. */
  readonly cachedShow?: typeof show;
  readonly outside: Outside;
}

/** What was read for a hop besides its session. */
export interface HopReads {
  /** Of the last session of this number and service code. */
  readonly resumePoint?: ResumePoint | undefined;
  /** A look-up of the caller that is already running. */
  readonly caller?: Promise<Caller> | undefined;
  /** Longest wait for an effect, in ms. Default: none. */
  readonly waitMs?: () => number;
}

export interface HopReply {
  readonly reply: string;
  readonly kind: Interpretation['kind'];
  /** Screen of the session, if there is one. */
  readonly state: string | undefined;
  /** The session to save, without the time of the reply; undefined if nothing changes. */
  readonly record: SessionRecord | undefined;
  /** The effect with the outcome in this reply: it is acknowledged once the reply is sent. */
  readonly shownEffect?: string | undefined;
  /** The effect with the outcome on the previous screen: this hop acknowledges it. */
  readonly acknowledgedEffect?: string | undefined;
}

/**
 * Decides one hop: the reply, and the session to save. It saves nothing itself; it may run the check or the effect of the input, under a
 * key that is the same for every retry of this hop.
 *
 * @throws {ServiceError} `invalid_argument` for an input that no phone can send; the error of a check, or of an effect that could not be
 *   started. The session is then unchanged.
 */
export async function decideReply(
  hop: Hop,
  stored: StoredSession | undefined,
  rules: HopRules,
  { resumePoint, caller, waitMs = noWait }: HopReads = {},
): Promise<HopReply> {
  const { request, session, macKeyId, mac } = classifyHop(hop, stored, rules);
  const { kind } = request;
  const { aggregator, sessionId, phoneNumber, text } = hop;
  if (kind === 'expired') return { kind, reply: ussdFixedReplies.sessionExpired, state: undefined, record: undefined };
  if (kind === 'repeat') {
    if (session === undefined) throw new Error('only a stored session can repeat its reply');
    const { record } = session;
    const { untold: shownEffect, position } = record;
    return { kind, reply: replyOf(record), state: position.state, record: undefined, shownEffect };
  }
  const { secrets } = rules;
  // An input, and a replay of its last part, continue the stored session; a dial and a full replay begin on the current flow.
  const origin = kind === 'input' || (kind === 'replay' && request.from === 'here') ? session?.record : undefined;
  const nonce = origin?.nonce ?? secrets.freshNonce();
  const hops = (origin?.hops ?? 0) + 1;
  // Some aggregators name the network on the dial only.
  const network = hop.network ?? origin?.network;
  const facts: Facts = { ...rules.facts, ...callerFacts(phoneNumber, network) };
  const serviceCode = serviceCodeOf(hop, origin, session?.record);
  const earlier = shownEffectsOf(session?.record);
  const { flow, position, secret, shownEffect, isCallerUnknown } = await nextPosition(request, {
    outside: rules.outside,
    flows: rules.flows,
    facts,
    secret: origin?.pendingSecret === undefined ? undefined : secrets.open(hop, origin.pendingSecret),
    arrivedAtMs: hop.arrivedAtMs,
    subscriber: { aggregator, phoneNumber, serviceCode },
    caller,
    nonce,
    session: { sessionId, shownEffects: earlier, retentionMs: expiredRetentionMs },
    origin,
    offered: kind === 'dial' ? resumeOfferFor(hop, resumePoint, rules.flows) : undefined,
    hopKey: () => mac(`effect ${nonce} ${hops}`),
    textKey: () => mac(`check ${nonce} ${hops}\n${text}`),
    waitMs,
  });
  const shown = (rules.cachedShow ?? show)(flow, position, facts);
  // A secret is stored only while its screen is shown.
  const sameSecret = origin?.position.state === position.state ? origin.pendingSecret : undefined;
  const record: SessionRecord = {
    aggregator,
    sessionId,
    phoneNumber,
    serviceCode,
    network,
    flow: flowNameOf(flow),
    position,
    cameFrom: origin?.position.state,
    isAuthenticated: position.account !== undefined,
    nonce,
    hops,
    untold: shownEffect,
    shownEffects: withEffect(isCallerUnknown === true ? withoutLast(earlier, session?.record) : earlier, shownEffect),
    pendingSecret: secret === undefined ? sameSecret : secrets.seal(hop, secret),
    macKeyId,
    // Of an ended session only the last text can be retried.
    marks: shown.closes ? request.marks.slice(-1) : request.marks,
    message: shown.message,
    shownAtMs: undefined,
    ended: shown.closes,
  };
  const acknowledgedEffect = kind === 'input' ? origin?.untold : undefined;
  return {
    kind,
    reply: replyOf(record),
    state: position.state,
    record,
    shownEffect,
    acknowledgedEffect: acknowledgedEffect,
  };
}

const noWait = () => 0;

/** More than one session shows, also if a program types. */
const mostShownEffects = 100;

/** The effects with outcomes that a session has shown. Records of earlier releases have the last one only. */
function shownEffectsOf(record: SessionRecord | undefined): readonly string[] {
  return record?.shownEffects ?? (record?.untold === undefined ? [] : [record.untold]);
}

/** A dial without a look-up of its caller does not prove that the last outcome of the session before it was seen. */
function withoutLast(shown: readonly string[], record: SessionRecord | undefined): readonly string[] {
  return shown.filter((key) => key !== record?.untold);
}

function withEffect(earlier: readonly string[], shown: string | undefined): readonly string[] | undefined {
  const all = shown === undefined || earlier.includes(shown) ? earlier : [...earlier, shown];
  return all.length === 0 ? undefined : all.slice(-mostShownEffects);
}

/** Some aggregators send the code on the dial only. @param origin the session that the hop continues. */
function serviceCodeOf(hop: Hop, origin: SessionRecord | undefined, stored: SessionRecord | undefined): string {
  const named = origin === undefined ? codeDialledBy(hop) : hop.serviceCode;
  return named === '' ? (stored?.serviceCode ?? '') : named;
}

function replyOf(record: SessionRecord): string {
  return `${record.ended ? 'END' : 'CON'} ${record.message}`;
}
