import { ussdFixedReplies } from '@mlango/schemas/ussd';
import { callerFacts } from '../engine/caller-facts.js';
import type { Facts, Flow } from '../engine/flow.js';
import type { Interpretation } from '../engine/interpret-text.js';
import { show } from '../engine/show.js';
import type { Caller } from './find-caller.js';
import { codeDialledBy, type Hop } from './hop.js';
import { moveSession, type Outside } from './move-session.js';
import { type RecogniseRules, recogniseHop } from './recognise-hop.js';
import { flowNameOf, type ResumePoint, resumeOfferFor } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import type { StoredSession } from './session-store.js';

export interface HopRules extends RecogniseRules {
  /** Flows in service. The first is the one a dial starts; the others are older versions that sessions may be on. */
  readonly flows: readonly [Flow, ...Flow[]];
  readonly facts: Facts;
  /** How screens are printed, where some are remembered. */
  readonly print?: typeof show;
  readonly outside: Outside;
}

/** What is known of a hop beside its session. */
export interface HopContext {
  /** What a lost session left for a dial. */
  readonly left?: ResumePoint | undefined;
  /** Who dials, where that is being looked up already. */
  readonly caller?: Promise<Caller> | undefined;
  /** How long the hop can wait for an effect, in ms. Default: not at all. */
  readonly waitMs?: () => number;
  /** Whether the session may not be the one that is stored: nothing outside is asked or done then. */
  readonly isGuess?: boolean;
}

export interface HopAnswer {
  readonly reply: string;
  readonly kind: Interpretation['kind'];
  /** The screen the session is on, if there is one. */
  readonly state: string | undefined;
  /** What to save, but for when it is shown; undefined when nothing changes. */
  readonly record: SessionRecord | undefined;
  /** The effect whose outcome the reply shows: it is told once the reply is gone. */
  readonly shownEffect?: string | undefined;
  /** The effect whose outcome the hop answers to: it was read, whatever became of the process that showed it. */
  readonly readEffect?: string | undefined;
}

/**
 * Decides one hop: what to answer, and what to remember. It saves nothing of the session; what it may do is the check or the effect that the
 * input asks for, under a key that is the same for each try of this hop.
 *
 * @throws {ServiceError} `invalid_argument` for an input that no phone can send; whatever a check rejects with, or an effect that could not be
 *   begun. The session then stays where it was.
 * @returns undefined for a guess where the answer takes more than the session.
 */
export async function answerHop(
  hop: Hop,
  stored: StoredSession | undefined,
  rules: HopRules,
  around?: HopContext & { readonly isGuess?: false },
): Promise<HopAnswer>;
export async function answerHop(
  hop: Hop,
  stored: StoredSession | undefined,
  rules: HopRules,
  around: HopContext,
): Promise<HopAnswer | undefined>;
export async function answerHop(
  hop: Hop,
  stored: StoredSession | undefined,
  rules: HopRules,
  { left, caller, waitMs = noWait, isGuess = false }: HopContext = {},
): Promise<HopAnswer | undefined> {
  const { asked, session, macKeyId, mac } = recogniseHop(hop, stored, rules);
  const { kind } = asked;
  const { aggregator, sessionId, phoneNumber, text } = hop;
  if (kind === 'expired') return { kind, reply: ussdFixedReplies.sessionExpired, state: undefined, record: undefined };
  if (kind === 'repeat') {
    if (session === undefined) throw new Error('only a known session can repeat its reply');
    const { record } = session;
    return {
      kind,
      reply: replyOf(record),
      state: record.position.state,
      record: undefined,
      shownEffect: record.untold,
    };
  }
  const { secrets } = rules;
  // Where it stands counts for what continues there; a dial and a replay from the start begin on the current flow.
  const origin = kind === 'input' || (kind === 'replay' && asked.from === 'here') ? session?.record : undefined;
  const nonce = origin?.nonce ?? secrets.freshNonce();
  const hops = (origin?.hops ?? 0) + 1;
  // Some gateways name the network on the dial only.
  const network = hop.network ?? origin?.network;
  const facts: Facts = { ...rules.facts, ...callerFacts(phoneNumber, network) };
  const serviceCode = serviceCodeOf(hop, origin, session?.record);
  const moved = await moveSession(asked, {
    outside: isGuess ? undefined : rules.outside,
    flows: rules.flows,
    facts,
    subscriber: { aggregator, phoneNumber, serviceCode },
    caller,
    nonce,
    origin,
    offered: kind === 'dial' ? resumeOfferFor(hop, left, rules.flows) : undefined,
    held: origin?.pendingSecret === undefined ? undefined : secrets.open(hop, origin.pendingSecret),
    hopKey: () => mac(`effect ${nonce} ${hops}`),
    textKey: () => mac(`check ${nonce} ${hops}\n${text}`),
    waitMs,
  });
  if (moved === undefined) return undefined;
  const { flow, position, secret, shownEffect } = moved;
  const shown = (rules.print ?? show)(flow, position, facts);
  // A secret stays as long as its screen does, and no longer.
  const stays = origin?.position.state === position.state ? origin.pendingSecret : undefined;
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
    pendingSecret: secret === undefined ? stays : secrets.seal(hop, secret),
    macKeyId,
    // Of one that has ended, nothing but the last text is asked for again.
    marks: shown.closes ? asked.marks.slice(-1) : asked.marks,
    message: shown.message,
    shownAtMs: undefined,
    ended: shown.closes,
  };
  const readEffect = kind === 'input' ? origin?.untold : undefined;
  return { kind, reply: replyOf(record), state: position.state, record, shownEffect, readEffect };
}

const noWait = () => 0;

/** Some gateways name the code on the dial only. @param origin the session that the hop goes on with. */
function serviceCodeOf(hop: Hop, origin: SessionRecord | undefined, known: SessionRecord | undefined): string {
  const named = origin === undefined ? codeDialledBy(hop) : hop.serviceCode;
  return named === '' ? (known?.serviceCode ?? '') : named;
}

function replyOf(record: SessionRecord): string {
  return `${record.ended ? 'END' : 'CON'} ${record.message}`;
}
