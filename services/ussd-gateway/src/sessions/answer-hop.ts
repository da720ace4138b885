import { ussdFixedReplies } from '@mlango/schemas/ussd';
import type { Facts, Flow } from '../engine/flow.js';
import {
  type Interpretation,
  interpretText,
  type KnownSession,
  type TextMark,
  type TextMode,
} from '../engine/interpret-text.js';
import { type Position, startOf } from '../engine/position.js';
import { replay } from '../engine/replay.js';
import { show } from '../engine/show.js';
import { step } from '../engine/step.js';
import type { Hop } from './hop.js';
import { interpretPress } from './interpret-press.js';
import type { SessionRecord } from './session-record.js';
import type { StoredSession } from './session-store.js';
import type { TextMacs } from './text-mac.js';

export interface HopRules {
  /** Flows in service. The first is the one a dial starts; the others are older versions that sessions may be on. */
  readonly flows: readonly [Flow, ...Flow[]];
  readonly facts: Facts;
  readonly textMode: TextMode;
  readonly macs: TextMacs;
}

export interface HopAnswer {
  readonly reply: string;
  readonly kind: Interpretation['kind'];
  /** The screen the session is on, if there is one. */
  readonly state: string | undefined;
  /** What to save; undefined when nothing changes. */
  readonly record: SessionRecord | undefined;
}

/** Decides one hop: what to answer, and what to remember. Pure but for the MACs: it reads and writes nothing. */
export function answerHop(hop: Hop, stored: StoredSession | undefined, rules: HopRules): HopAnswer {
  const { macs } = rules;
  const session = usable(hop, stored, rules);
  const macKeyId = session?.record.macKeyId ?? macs.activeKeyId;
  const mac = macs.forSession(hop, macKeyId);
  if (mac === undefined) throw new Error('the active key of the keyring is gone');
  const asked = interpret(hop, session, rules.textMode, mac);
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
  const flow = (continues && session !== undefined && findFlow(session.record, rules)) || rules.flows[0];
  const here = session?.record.position ?? startOf(flow);
  const position = move(flow, here, asked, rules.facts);
  // Some gateways name the code on the dial only.
  const serviceCode = hop.serviceCode === '' ? (session?.record.serviceCode ?? '') : hop.serviceCode;
  const record = remember({ ...hop, serviceCode }, flow, position, { macKeyId, marks: asked.marks }, rules.facts);
  return { kind: asked.kind, reply: replyOf(record), state: position.state, record };
}

function interpret(
  hop: Hop,
  session: StoredSession | undefined,
  mode: TextMode,
  mac: (text: string) => string,
): Interpretation {
  const known = knownSession(session);
  if (hop.press === undefined) return interpretText(hop.text, known, { mode, mac });
  return interpretPress(hop.text, hop.press, known, { mac, shownAtMs: session?.record.shownAtMs });
}

/** A session whose flow or key this process does not have any more counts as lost: it is replayed from its text. */
function usable(hop: Hop, stored: StoredSession | undefined, rules: HopRules): StoredSession | undefined {
  if (stored === undefined || rules.macs.forSession(hop, stored.record.macKeyId) === undefined) return undefined;
  if (stored.phase === 'gone') return stored;
  return findFlow(stored.record, rules)?.screens[stored.record.position.state] === undefined ? undefined : stored;
}

/** The very version of the flow that a session began with. */
function findFlow(record: SessionRecord, rules: HopRules): Flow | undefined {
  return rules.flows.find(({ id, version }) => id === record.flow.id && version === record.flow.version);
}

function knownSession(session: StoredSession | undefined): KnownSession {
  if (session === undefined) return { phase: 'none' };
  const { marks, ended } = session.record;
  return session.phase === 'live' ? { phase: 'live', marks } : { phase: 'gone', marks, ended };
}

type Move = Extract<Interpretation, { kind: 'dial' | 'input' | 'replay' }>;

function move(flow: Flow, here: Position, asked: Move, facts: Facts): Position {
  if (asked.kind === 'dial') return startOf(flow);
  if (asked.kind === 'input') return step(flow, here, asked.input, facts);
  const start = asked.from === 'here' ? here : startOf(flow);
  const inputs = asked.inputs.map(({ input }) => input);
  return replay(flow, start, inputs, facts);
}

function remember(
  hop: Hop,
  flow: Flow,
  position: Position,
  text: { macKeyId: string; marks: readonly TextMark[] },
  facts: Facts,
): SessionRecord {
  const shown = show(flow, position, facts);
  return {
    sessionId: hop.sessionId,
    phoneNumber: hop.phoneNumber,
    serviceCode: hop.serviceCode,
    flow: { id: flow.id, version: flow.version },
    position: { ...position, choices: { ...position.choices } },
    isAuthenticated: false,
    macKeyId: text.macKeyId,
    marks: [...text.marks],
    message: shown.message,
    ended: shown.closes,
  };
}

function replyOf(record: SessionRecord): string {
  return `${record.ended ? 'END' : 'CON'} ${record.message}`;
}
