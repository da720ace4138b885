import { atMostCharacters, type UssdRequest, ussdLimits } from '@mlango/schemas/ussd';
import { ServiceError } from '@mlango/service-kit/errors';
import {
  type Interpretation,
  interpretPress,
  interpretText,
  type KeyPress,
  type KnownSession,
  type TextMode,
} from '../engine/find-new-input.js';
import type { Flow } from '../engine/flow.js';
import { findFlow } from './find-flow.js';
import type { SessionRecord } from './session-record.js';
import type { SessionSecrets } from './session-secrets.js';
import type { StoredSession } from './session-store.js';

/** One request of an aggregator. */
export interface Hop extends UssdRequest {
  /** The aggregator and the tenant (`../session-scope.ts`). */
  readonly aggregator: string;
  /** Set for aggregators that send each input separately; without it the text accumulates, or its format is detected. */
  readonly press?: KeyPress | undefined;
  /** Arrival of the request by the wall clock, in ms since 1970: the user had not seen screens that were shown later. */
  readonly arrivedAtMs: number;
  /** Set for aggregators with a fixed text format; it overrides the configured mode. */
  readonly textMode?: TextMode | undefined;
  /** Network of the caller, as named by the aggregator. */
  readonly network?: string | undefined;
}

/** The service code of a hop, if the hop begins a session. */
export function codeDialledBy({ serviceCode, press }: Hop): string {
  return press?.dialIfUnknown?.serviceCode ?? serviceCode;
}

export interface ClassifyRules {
  readonly flows: readonly Flow[];
  readonly textMode: TextMode;
  /** For aggregators that send each input separately: an equal input within this time after the reply is a retry. Default 0. */
  readonly duplicateWindowMs?: number;
  readonly secrets: SessionSecrets;
}

export interface ClassifiedHop {
  /** Request of the hop: a dial, an input, a retry … */
  readonly request: Interpretation;
  /** The stored session, if this process can continue it. */
  readonly session: StoredSession | undefined;
  readonly macKeyId: string;
  /** Keyed MAC of a text of this session. */
  readonly mac: (text: string) => string;
}

/**
 * Distinguishes a retry, a late or repeated delivery, a dial and a new input, by the stored marks of the session's texts.
 *
 * @throws {ServiceError} `invalid_argument` for an input that no phone can send.
 */
export function classifyHop(hop: Hop, stored: StoredSession | undefined, rules: ClassifyRules): ClassifiedHop {
  const { secrets, textMode } = rules;
  const storedMac = stored && secrets.macOf(hop, stored.record.macKeyId);
  // A session without a configured flow or key counts as lost: it is replayed from its text.
  const session = stored && storedMac && isServed(stored, rules.flows) ? stored : undefined;
  const macKeyId = session?.record.macKeyId ?? secrets.activeKeyId;
  const mac = session === undefined ? secrets.macOf(hop, macKeyId) : storedMac;
  if (mac === undefined) throw new Error('the active key of the keyring is missing');
  const { text, press } = hop;
  const known = knownOf(session);
  const isUnseen = session !== undefined && cannotHaveSeen(session.record, hop, rules);
  const request =
    press === undefined
      ? interpretText(text, known, { mode: hop.textMode ?? textMode, mac, isUnseen })
      : interpretPress(text, press, known, { mac, isUnseen });
  if (!inputsOf(request).every(isTypable)) throw new ServiceError('invalid_argument', 'invalid: an input is too long');
  return { request, session, macKeyId, mac };
}

function knownOf(session: StoredSession | undefined): KnownSession {
  if (session === undefined) return { phase: 'none' };
  const { marks, ended } = session.record;
  return { phase: session.phase, marks, ended };
}

/** The new inputs of a hop. */
export function inputsOf(request: Interpretation): string[] {
  if (request.kind === 'input') return [request.input];
  return request.kind === 'replay' ? request.inputs.map(({ input }) => input) : [];
}

/** The limit of one input. */
const isTypable = atMostCharacters(ussdLimits.textChars);

function isServed({ phase, record }: StoredSession, flows: readonly Flow[]): boolean {
  return phase === 'past' || screenOf(record, flows) !== undefined;
}

function screenOf({ flow, position }: SessionRecord, flows: readonly Flow[]) {
  return findFlow(flow, flows)?.screens[position.state];
}

/** The clocks of two processes agree to this precision at best: within it an input counts as new. */
const clockErrorMs = 1;

/** The same PIN within this time is a re-sent request, not the second typing: no user reads a screen and types five digits so fast. */
const secretWindowMs = 1000;

/** Whether the current screen was shown after this hop arrived, so that the hop cannot be an answer to it. */
function cannotHaveSeen(record: SessionRecord, { arrivedAtMs }: Hop, rules: ClassifyRules): boolean {
  const { shownAtMs } = record;
  if (shownAtMs === undefined) return false;
  const { flows, duplicateWindowMs: windowMs = 0 } = rules;
  const screen = screenOf(record, flows);
  const wantsSecret = screen?.kind === 'entry' && screen.entry.secret;
  return arrivedAtMs - (wantsSecret ? Math.max(windowMs, secretWindowMs) : windowMs) + clockErrorMs < shownAtMs;
}
