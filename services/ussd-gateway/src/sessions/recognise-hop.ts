import { atMostCharacters, ussdLimits } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Flow } from '../engine/flow.js';
import { type Interpretation, interpretText, type KnownSession, type TextMode } from '../engine/interpret-text.js';
import type { Hop } from './hop.js';
import { interpretPress } from './interpret-press.js';
import { findFlow } from './lost-place.js';
import { isUnseen } from './seen-in-time.js';
import type { StoredSession } from './session-store.js';
import type { TextMacs } from './text-mac.js';

export interface RecogniseRules {
  readonly flows: readonly Flow[];
  readonly textMode: TextMode;
  /** Where inputs come alone: the same again, this soon after the reply, is a retry. Default 0. */
  readonly duplicateWindowMs?: number;
  readonly macs: TextMacs;
}

export interface Recognised {
  /** What the hop asks for: a dial, an input, a retry … */
  readonly asked: Interpretation;
  /** The session it belongs to, if this process can go on with it. */
  readonly session: StoredSession | undefined;
  readonly macKeyId: string;
  /** Keyed MAC of a text of this session. */
  readonly mac: (text: string) => string;
}

/**
 * Tells a retry, a late or repeated delivery, a dial and a new input apart, by what is remembered of the session's texts.
 *
 * @throws {ServiceError} `invalid_argument` for an input that no phone can send.
 */
export function recogniseHop(hop: Hop, stored: StoredSession | undefined, rules: RecogniseRules): Recognised {
  const { macs, flows, textMode, duplicateWindowMs = 0 } = rules;
  const session = usable(hop, stored, rules);
  const record = session?.record;
  const macKeyId = record?.macKeyId ?? macs.activeKeyId;
  const mac = macs.forSession(hop, macKeyId);
  if (mac === undefined) throw new Error('the active key of the keyring is gone');
  const { arrivedMs, press } = hop;
  const unseen =
    record !== undefined &&
    arrivedMs !== undefined &&
    isUnseen(record, findFlow(record.flow, flows), arrivedMs, duplicateWindowMs);
  const known = knownSession(session);
  const asked =
    press === undefined
      ? interpretText(hop.text, known, { mode: hop.textMode ?? textMode, mac, isUnseen: unseen })
      : interpretPress(hop.text, press, known, { mac, isUnseen: unseen });
  assertTypable(asked);
  return { asked, session, macKeyId, mac };
}

const isTypable = atMostCharacters(ussdLimits.textChars);

/** @throws {ServiceError} `invalid_argument`: no phone sends so much at once, whatever was typed before. */
function assertTypable(asked: Interpretation): void {
  const inputs =
    asked.kind === 'input' ? [asked.input] : asked.kind === 'replay' ? asked.inputs.map(({ input }) => input) : [];
  if (!inputs.every(isTypable)) throw new ServiceError('invalid_argument', 'invalid: an input is too long');
}

/** A session whose flow or key this process does not have any more counts as lost: it is replayed from its text. */
function usable(hop: Hop, stored: StoredSession | undefined, rules: RecogniseRules): StoredSession | undefined {
  if (stored === undefined || rules.macs.forSession(hop, stored.record.macKeyId) === undefined) return undefined;
  if (stored.phase === 'gone') return stored;
  const screens = findFlow(stored.record.flow, rules.flows)?.screens;
  return screens?.[stored.record.position.state] === undefined ? undefined : stored;
}

function knownSession(session: StoredSession | undefined): KnownSession {
  if (session === undefined) return { phase: 'none' };
  const { marks, ended } = session.record;
  return session.phase === 'live' ? { phase: 'live', marks } : { phase: 'gone', marks, ended };
}
