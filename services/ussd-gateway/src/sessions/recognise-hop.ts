import { atMostCharacters, ussdLimits } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import type { Flow } from '../engine/flow.js';
import {
  type Interpretation,
  interpretPress,
  interpretText,
  type KnownSession,
  type TextMode,
} from '../engine/interpret-text.js';
import type { Hop } from './hop.js';
import { findFlow } from './resume-point.js';
import type { SessionRecord } from './session-record.js';
import type { SessionSecrets } from './session-secrets.js';
import type { StoredSession } from './session-store.js';

export interface RecogniseRules {
  readonly flows: readonly Flow[];
  readonly textMode: TextMode;
  /** Where inputs come alone: the same again, this soon after the reply, is a retry. Default 0. */
  readonly duplicateWindowMs?: number;
  readonly secrets: SessionSecrets;
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
  const { secrets, textMode } = rules;
  const itsMac = stored && secrets.macOf(hop, stored.record.macKeyId);
  // A session whose flow or key this process does not have any more counts as lost: it is replayed from its text.
  const session = stored && itsMac && isServed(stored, rules.flows) ? stored : undefined;
  const macKeyId = session?.record.macKeyId ?? secrets.activeKeyId;
  const mac = session === undefined ? secrets.macOf(hop, macKeyId) : itsMac;
  if (mac === undefined) throw new Error('the active key of the keyring is gone');
  const { text, press } = hop;
  const known = knownOf(session);
  const isUnseen = session !== undefined && cannotHaveSeen(session.record, hop, rules);
  const asked =
    press === undefined
      ? interpretText(text, known, { mode: hop.textMode ?? textMode, mac, isUnseen })
      : interpretPress(text, press, known, { mac, isUnseen });
  if (!inputsOf(asked).every(isTypable)) throw new ServiceError('invalid_argument', 'invalid: an input is too long');
  return { asked, session, macKeyId, mac };
}

function knownOf(session: StoredSession | undefined): KnownSession {
  if (session === undefined) return { phase: 'none' };
  const { marks, ended } = session.record;
  return { phase: session.phase, marks, ended };
}

/** What was typed, as far as it is new. */
export function inputsOf(asked: Interpretation): string[] {
  if (asked.kind === 'input') return [asked.input];
  return asked.kind === 'replay' ? asked.inputs.map(({ input }) => input) : [];
}

/** No phone sends more at once, whatever was typed before. */
const isTypable = atMostCharacters(ussdLimits.textChars);

function isServed({ phase, record }: StoredSession, flows: readonly Flow[]): boolean {
  return phase === 'gone' || screenOf(record, flows) !== undefined;
}

function screenOf({ flow, position }: SessionRecord, flows: readonly Flow[]) {
  return findFlow(flow, flows)?.screens[position.state];
}

/** Two clocks in whole ms, and two processes' clocks at that, agree no better: in doubt an input is new. */
const clockErrorMs = 1;

/** Nobody reads a screen and types five digits within this time, so the same secret twice is a retry: it confirms nothing. */
const secretWindowMs = 1000;

/** Whether the screen that a session is on was shown so late that this hop, which arrived then, cannot be an answer to it. */
function cannotHaveSeen(record: SessionRecord, { arrivedAtMs }: Hop, rules: RecogniseRules): boolean {
  const { shownAtMs } = record;
  if (shownAtMs === undefined || arrivedAtMs === undefined) return false;
  const { flows, duplicateWindowMs: windowMs = 0 } = rules;
  const screen = screenOf(record, flows);
  const wantsSecret = screen?.kind === 'entry' && screen.entry.secret;
  return arrivedAtMs - (wantsSecret ? Math.max(windowMs, secretWindowMs) : windowMs) + clockErrorMs < shownAtMs;
}
