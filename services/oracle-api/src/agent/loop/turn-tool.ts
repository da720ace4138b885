import type { ModelTool } from '../../models/language-model.js';
import type { ApprovalAsk } from '../calls/call-records.js';
import type { FrontendAnswer } from './frontend-calls.js';

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
  readonly told: ModelTool;
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
  asks(args: Readonly<Record<string, unknown>>): Promise<Pick<ApprovalAsk, 'title' | 'reason'> | undefined>;
  /** Whether a call of these arguments changes nothing at all, so that it may be made again. */
  isHarmless(args: Readonly<Record<string, unknown>>): boolean;
  /** A rejection counts as a failure of the tool, which the model is told of in general words. */
  call(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<FrontendAnswer>;
}
