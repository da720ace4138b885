import { type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { ModelTool } from '../../models/language-model.js';
import type { RunFrame, RunStart } from '../../runs/log/store.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { ApprovalRequest } from './call-records.js';

export interface ToolCallContext {
  readonly toolCallId: string;
  /** The same for each attempt of this call, and unique to it. */
  readonly idempotencyKey: string;
  /** The user has approved exactly these arguments. */
  readonly isAllowed: boolean;
  readonly signal: AbortSignal;
}

/** A tool as a turn uses it. An `action` is sent as `action_call`, a `tool` as `tool_call`. */
export interface TurnTool {
  readonly name: string;
  /** Definition for the model. The same object while it is unchanged. */
  readonly definition: ModelTool;
  readonly kind: 'tool' | 'action';
  /** Name of its plugin. */
  readonly plugin: string;
  /** Hash of the definition and of the requirements for a call. A different fingerprint is a different tool. */
  readonly fingerprint: string;
  /** The output is text of this service, not untrusted text. */
  readonly hasOwnOutput?: boolean;
  /** The client executes the call. */
  readonly isOfClient?: boolean;
  /** Maximum number of identical calls in a turn; default: the setting for all tools. */
  readonly sameCalls?: number | undefined;
  /** Maximum number of steps of a turn with a call of this plugin; default: no limit but that of the turn. */
  readonly pluginSteps?: number | undefined;
  /** The approval request for a call with these arguments; undefined if none is required. Never rejects. */
  approvalFor(args: Readonly<Record<string, unknown>>): Promise<Pick<ApprovalRequest, 'title' | 'reason'> | undefined>;
  /** Whether a call with these arguments has no side effects, so that it may be repeated. */
  isHarmless(args: Readonly<Record<string, unknown>>): boolean;
  /** A rejection is a failure of the tool, reported to the model without details. */
  call(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<FrontendAnswer>;
}

/** A call that runs in the user's tab: a browser tool, or an AG-UI action. */
export interface FrontendCall {
  readonly kind: 'browser_tool' | 'action';
  /** Unique for each call, also within one turn. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The result of a call, or an error text for the model. */
export type FrontendAnswer =
  | {
      readonly ok: true;
      readonly result: unknown;
      /** Files of the result, sent to the model with it. */
      readonly attachments?: readonly StoredAttachment[];
      /** The client executes the call after the turn. */
      readonly isHandedOver?: boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** The arguments were invalid, so nothing was called. */
      readonly isBadCall?: boolean;
      /** The call was made, and its outcome is unknown. */
      readonly isUnknown?: boolean;
      /** Nothing was called: the user has to approve it first. */
      readonly approvalRequest?: { readonly title: string; readonly reason: string };
    };

/**
 * Calls into the user's tab, on any replica that has its socket.
 * The adapter sends `browser_tool_call`, or `action_call` with `isRunning`, to one socket. Listeners of the turn do not send the
 * event again.
 * Failure: never rejects. A missing socket, a timeout and an aborted `signal` are answers with `ok: false`.
 */
export interface FrontendCalls {
  call(turn: RunStart, call: FrontendCall, signal: AbortSignal): Promise<FrontendAnswer>;
}

type ToolEvent = Extract<RunEvent, { event: 'tool_call' | 'action_call' }>;

/** Result of a call with an unknown outcome. */
export const outcomeUnknown =
  'Outcome unknown: the call was cut short before it came back, and may have taken effect. Do not repeat it without asking the user.';

/** Events that close the running calls of a log. */
export function closingEvents(frames: readonly RunFrame[]): ToolEvent[] {
  const open = new Map<string, ToolEvent>();
  for (const frame of frames) {
    const event = toolEvent(frame);
    if (event === undefined) continue;
    const id = event.event === 'tool_call' ? event.data.eventId : event.data.toolCallId;
    if (event.data.status === 'isRunning') open.set(id, event);
    else open.delete(id);
  }
  return [...open.values()].map(closed);
}

function toolEvent({ event, data }: RunFrame): ToolEvent | undefined {
  if (event === 'tool_call') return { event, data: runEvents.tool_call.parse(JSON.parse(data)) };
  if (event === 'action_call') return { event, data: runEvents.action_call.parse(JSON.parse(data)) };
  return undefined;
}

function closed(event: ToolEvent): ToolEvent {
  const output = JSON.stringify({ error: outcomeUnknown });
  return event.event === 'tool_call'
    ? { event: 'tool_call', data: { ...event.data, status: 'done', output, error: outcomeUnknown } }
    : { event: 'action_call', data: { ...event.data, status: 'error', error: outcomeUnknown } };
}
