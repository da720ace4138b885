import { type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { ModelTool } from '../../models/language-model.js';
import type { RunFrame, RunStart } from '../../runs/log/store.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { ApprovalAsk } from './call-records.js';

export interface ToolCallContext {
  readonly toolCallId: string;
  /** The same at every try of this call, and of no other. */
  readonly idempotencyKey: string;
  /** The user has allowed these arguments, and no others. */
  readonly isAllowed: boolean;
  readonly signal: AbortSignal;
}

/** A tool as a turn uses it. An `action` is told of as `action_call`, a `tool` as `tool_call`. */
export interface TurnTool {
  readonly name: string;
  /** What the model is told of it. The same object as long as that is the same. */
  readonly definition: ModelTool;
  readonly kind: 'tool' | 'action';
  /** Name of the plugin it is of. */
  readonly plugin: string;
  /** Of what it is and of what it takes to call it: another one is another tool. */
  readonly fingerprint: string;
  /** What it gives back is in this service's own words. */
  readonly hasOwnOutput?: boolean;
  /** It runs at whoever sent the message. */
  readonly isOfClient?: boolean;
  /** How often the very same call is made in a turn; what is set for all tools where it does not say. */
  readonly sameCalls?: number | undefined;
  /** In how many steps of a turn any tool of its plugin is called; as many as it has where it does not say. */
  readonly pluginSteps?: number | undefined;
  /** What the user is asked before a call of these arguments; undefined where it may be made at once. Never rejects. */
  approvalFor(args: Readonly<Record<string, unknown>>): Promise<Pick<ApprovalAsk, 'title' | 'reason'> | undefined>;
  /** Whether a call of these arguments changes nothing at all, so that it may be made again. */
  isHarmless(args: Readonly<Record<string, unknown>>): boolean;
  /** A rejection counts as a failure of the tool, which the model is told of in general words. */
  call(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<FrontendAnswer>;
}

/** A call of something that runs in the user's tab: a browser tool, or an AG-UI action. */
export interface FrontendCall {
  readonly kind: 'browser_tool' | 'action';
  /** Unique for each call, also within one turn. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What came back, or why nothing did, in words that a model can explain. */
export type FrontendAnswer =
  | {
      readonly ok: true;
      readonly result: unknown;
      /** Files of the result, which the model sees with it. */
      readonly attachments?: readonly StoredAttachment[];
      /** The call is made by whoever sent the message, after the turn. */
      readonly isHandedOver?: boolean;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** The arguments did not fit, so nothing was called. */
      readonly isBadCall?: boolean;
      /** The call was made, and nobody knows whether it took effect. */
      readonly isUnknown?: boolean;
      /** Nothing was done: the user has to allow it first. */
      readonly asks?: { readonly title: string; readonly reason: string };
    };

/**
 * Calls into the user's tab, wherever in the cluster its socket is.
 *
 * The call sends `browser_tool_call`, or `action_call` with `isRunning`, itself and to one socket; listeners of the turn
 * that are told of the same event do not send it again.
 * Failure: never rejects. No socket, no answer in time and an aborted `signal` are answers with `ok: false`.
 */
export interface FrontendCalls {
  call(turn: RunStart, call: FrontendCall, signal: AbortSignal): Promise<FrontendAnswer>;
}

type ToolEvent = Extract<RunEvent, { event: 'tool_call' | 'action_call' }>;

/** What is said of a call that was made, and of which nobody knows whether it took effect. */
export const outcomeUnknown =
  'Outcome unknown: the call was cut short before it came back, and may have taken effect. Do not repeat it without asking the user.';

/** The events that close the calls which a log leaves running. */
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
