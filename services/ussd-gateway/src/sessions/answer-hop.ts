import { atMostCharacters, ussdFixedReplies, ussdLimits } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Facts, Flow } from '../engine/flow.js';
import { type Interpretation, interpretText, type KnownSession, type TextMode } from '../engine/interpret-text.js';
import { type Position, startOf } from '../engine/position.js';
import { replay } from '../engine/replay.js';
import { show } from '../engine/show.js';
import type { Hop } from './hop.js';
import type { HopEffects } from './hop-effects.js';
import { interpretPress } from './interpret-press.js';
import { findFlow, type LostPlace, offerFor } from './lost-place.js';
import { isUnseen } from './seen-in-time.js';
import type { SessionRecord } from './session-record.js';
import type { SessionSecrets } from './session-secrets.js';
import type { StoredSession } from './session-store.js';
import { type StepTaken, takeStep } from './take-step.js';
import type { TextMacs } from './text-mac.js';

export interface HopRules {
  /** Flows in service. The first is the one a dial starts; the others are older versions that sessions may be on. */
  readonly flows: readonly [Flow, ...Flow[]];
  readonly facts: Facts;
  /** How screens are printed, where some are remembered. */
  readonly print?: typeof show;
  readonly textMode: TextMode;
  /** Where inputs come alone: the same again, this soon after the reply, is a retry. Default 0. */
  readonly duplicateWindowMs?: number;
  readonly macs: TextMacs;
  readonly secrets: SessionSecrets;
  readonly effects: HopEffects;
}

export interface HopAnswer {
  readonly reply: string;
  readonly kind: Interpretation['kind'];
  /** The screen the session is on, if there is one. */
  readonly state: string | undefined;
  /** What to save; undefined when nothing changes. */
  readonly record: SessionRecord | undefined;
}

/**
 * Decides one hop: what to answer, and what to remember. It saves nothing; the one thing it may do is the effect that
 * the input asks for, under a key that is the same for each try of this hop.
 *
 * @param left what a lost session left for a dial.
 * @throws {ServiceError} `invalid_argument` for an input that no phone can send; whatever an effect rejects with. The session then stays
 *   where it was.
 */
export async function answerHop(
  hop: Hop,
  stored: StoredSession | undefined,
  rules: HopRules,
  left?: LostPlace,
): Promise<HopAnswer> {
  const { macs } = rules;
  const session = usable(hop, stored, rules);
  const macKeyId = session?.record.macKeyId ?? macs.activeKeyId;
  const mac = macs.forSession(hop, macKeyId);
  if (mac === undefined) throw new Error('the active key of the keyring is gone');
  const asked = interpret(hop, session, rules, mac);
  assertTypable(asked);
  if (asked.kind === 'expired') {
    return { kind: asked.kind, reply: ussdFixedReplies.sessionExpired, state: undefined, record: undefined };
  }
  if (asked.kind === 'repeat') {
    if (session === undefined) throw new Error('only a known session can repeat its reply');
    return {
      kind: asked.kind,
      reply: replyOf(session.record),
      state: session.record.position.state,
      record: undefined,
    };
  }
  // Where it stands counts for what continues there; a dial and a replay from the start begin on the current flow.
  const continues = asked.kind === 'input' || (asked.kind === 'replay' && asked.from === 'here');
  const origin = continues ? session?.record : undefined;
  const offer = asked.kind === 'dial' ? offerFor(hop, left, rules.flows) : undefined;
  const flow = offer?.flow ?? (origin && findFlow(origin.flow, rules.flows)) ?? rules.flows[0];
  const nonce = origin?.nonce ?? rules.secrets.freshNonce();
  const hops = (origin?.hops ?? 0) + 1;
  const facts: Facts = { ...rules.facts, phoneNumber: hop.phoneNumber };
  const effectKey = () => mac(`effect ${nonce} ${hops}\n${hop.text}`);
  const context: MoveContext = { hop, rules, facts, origin, offered: offer?.position, effectKey };
  const { position, secret } = await move(flow, asked, context);
  // Some gateways name the code on the dial only.
  const serviceCode = hop.serviceCode === '' ? (session?.record.serviceCode ?? '') : hop.serviceCode;
  const pendingSecret = pendingOf(context, position, secret);
  const shown = (rules.print ?? show)(flow, position, facts);
  const record: SessionRecord = {
    aggregator: hop.aggregator,
    sessionId: hop.sessionId,
    phoneNumber: hop.phoneNumber,
    serviceCode,
    flow: { id: flow.id, version: flow.version },
    position,
    isAuthenticated: position.account !== undefined,
    nonce,
    hops,
    ...(pendingSecret === undefined ? undefined : { pendingSecret }),
    macKeyId,
    marks: asked.marks,
    message: shown.message,
    ended: shown.closes,
  };
  return { kind: asked.kind, reply: replyOf(record), state: position.state, record };
}

const isTypable = atMostCharacters(ussdLimits.textChars);

/** @throws {ServiceError} `invalid_argument`: no phone sends so much at once, whatever was typed before. */
function assertTypable(asked: Interpretation): void {
  const inputs =
    asked.kind === 'input' ? [asked.input] : asked.kind === 'replay' ? asked.inputs.map(({ input }) => input) : [];
  if (!inputs.every(isTypable)) throw new ServiceError('invalid_argument', 'invalid: an input is too long');
}

function interpret(
  hop: Hop,
  session: StoredSession | undefined,
  { flows, textMode, duplicateWindowMs = 0 }: HopRules,
  mac: (text: string) => string,
): Interpretation {
  const known = knownSession(session);
  const record = session?.record;
  const { arrivedMs } = hop;
  const unseen =
    record !== undefined &&
    arrivedMs !== undefined &&
    isUnseen(record, findFlow(record.flow, flows), arrivedMs, duplicateWindowMs);
  if (hop.press !== undefined) return interpretPress(hop.text, hop.press, known, { mac, isUnseen: unseen });
  return interpretText(hop.text, known, { mode: hop.textMode ?? textMode, mac, isUnseen: unseen });
}

/** A session whose flow or key this process does not have any more counts as lost: it is replayed from its text. */
function usable(hop: Hop, stored: StoredSession | undefined, rules: HopRules): StoredSession | undefined {
  if (stored === undefined || rules.macs.forSession(hop, stored.record.macKeyId) === undefined) return undefined;
  if (stored.phase === 'gone') return stored;
  return findFlow(stored.record.flow, rules.flows)?.screens[stored.record.position.state] === undefined
    ? undefined
    : stored;
}

function knownSession(session: StoredSession | undefined): KnownSession {
  if (session === undefined) return { phase: 'none' };
  const { marks, ended } = session.record;
  return session.phase === 'live' ? { phase: 'live', marks } : { phase: 'gone', marks, ended };
}

type Move = Extract<Interpretation, { kind: 'dial' | 'input' | 'replay' }>;

interface MoveContext {
  readonly hop: Hop;
  readonly rules: HopRules;
  readonly facts: Facts;
  /** The session as it was, if this hop goes on from there. */
  readonly origin: SessionRecord | undefined;
  /** Where a dial stands that is offered to go on in a lost session. */
  readonly offered: Position | undefined;
  readonly effectKey: () => string;
}

async function move(flow: Flow, asked: Move, context: MoveContext): Promise<StepTaken> {
  const { hop, rules, facts, origin, offered, effectKey } = context;
  const here = origin?.position ?? offered ?? startOf(flow, await rules.effects.languageOf(hop.phoneNumber));
  if (asked.kind === 'dial') return { position: here };
  if (asked.kind === 'input') {
    const sealed = origin?.pendingSecret;
    const held = sealed === undefined ? undefined : rules.secrets.open(hop, sealed);
    const { phoneNumber } = hop;
    return takeStep(flow, here, asked.input, { facts, phoneNumber, held, effectKey, effects: rules.effects });
  }
  const inputs = asked.inputs.map(({ input }) => input);
  return { position: replay(flow, here, inputs, facts) };
}

/** A secret stays as long as its screen does, and no longer. */
function pendingOf(context: MoveContext, position: Position, secret: string | undefined): string | undefined {
  if (secret !== undefined) return context.rules.secrets.seal(context.hop, secret);
  const { origin } = context;
  return origin?.position.state === position.state ? origin.pendingSecret : undefined;
}

function replyOf(record: SessionRecord): string {
  return `${record.ended ? 'END' : 'CON'} ${record.message}`;
}
