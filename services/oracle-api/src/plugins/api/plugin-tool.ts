import type { z } from 'zod';
import type { BrowserCall } from '../../agent/prompt/emit.js';
import type { AddedFile } from '../../files/file-intake.js';
import type { ModelTool } from '../../models/language-model.js';
import type { JsonSchema } from '../../models/tool-schemas/tool-schema.js';
import type { RuntimeContext, ToolAnswer } from './runtime-context.js';

/** Context of a tool call: has the id of the call, and `abortSignal` is also aborted at the tool's deadline. */
export type ToolContext = RuntimeContext & {
  readonly toolCallId: string;
  /** The same for all attempts of this call, and unique to it: for services with idempotent requests. */
  readonly idempotencyKey: string;
  /**
   * Stores a file that the call returns, as an attachment of the session, and shows it to the model with the result. Same limits as
   * an upload, at most 10 files a call. Never rejects: `reason` explains to the model why a file was not accepted.
   */
  addFile(file: ToolFile): Promise<AddedFile>;
};

export interface ToolFile {
  readonly bytes: Buffer;
  /** Media type as declared; checked against the bytes. */
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
}

/**
 * Effects of a call: none (`none`), on this service's own data of the user (`inside`), or on any other system (`outside`), such as a
 * payment, a message or an order.
 */
export type ToolEffects = 'none' | 'inside' | 'outside';

export const toolEffects: readonly ToolEffects[] = ['none', 'inside', 'outside'];

/** A tool that the model may call. */
export interface PluginTool {
  /** How calls appear in the event stream: as `tool_call` (the default), or as `action_call`. */
  readonly kind?: 'tool' | 'action';
  /**
   * Named and described outside the oracle: by the user's tab or another service. Name and description are free; the tool is skipped
   * without a report if its name is in use. The description is quoted to the model as untrusted text. The schema must be JSON Schema
   * and is validated as far as that is safe for an untrusted schema; arguments are passed on as the model produced them.
   */
  readonly isForeign?: boolean;
  /**
   * Programs of the user may call it by name, too (`DOORS=mcp`). Only for tools of every turn (`getTools`). Such a call is approved,
   * limited, recorded and paid like any other.
   */
  readonly isOffered?: boolean;
  /** Runs in the client that sent the message. The client may take the call over instead of answering it while the turn waits. */
  readonly isOfClient?: boolean;
  /** Letters, digits, `_` and `-`, at most 64. Unique in the oracle. */
  readonly name: string;
  /** For the model: purpose of the tool, and when to call it. */
  readonly description: string;
  /** Untrusted part of the description, such as file names: quoted to the model after the description. */
  readonly theirWords?: string;
  /**
   * Origin of the output. Output from `outside` (the default) is shown to the model as a quotation with its source, without
   * instructions: pages, files, texts of other services or people. `own` is for output that this service produces itself.
   */
  readonly output?: 'outside' | 'own';
  /** Parameters: an object. Arguments that do not fit never reach `execute`; the model receives the validation error. */
  readonly inputSchema: z.ZodType | JsonSchema;
  /** Effects of a call, or a function of its arguments. Default `outside`. */
  readonly effects?: ToolEffects | ((args: Readonly<Record<string, unknown>>) => ToolEffects);
  /**
   * Whether the user must approve a call: always, or by its arguments, with texts for the prompt. Evaluated once per call; if it
   * throws, approval is required. Without it, calls with effects `outside` require approval in production.
   */
  readonly needsApproval?:
    | boolean
    | ((args: Readonly<Record<string, unknown>>, context: RuntimeContext) => NeedsApproval);
  /**
   * Maximum number of identical calls in a turn, from 1: more for a tool that polls a state; `Infinity` for no limit but the steps of
   * the turn. Default `TURN_SAME_CALLS`.
   */
  readonly sameCalls?: number;
  /** Time limit of a call, in ms. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * @returns JSON data for the model; undefined counts as `null`.
   * @throws AskUser before any effect, if the user must approve the call first, or once more because the terms changed.
   * @throws OutcomeUnknownError if the call may have taken effect.
   * @throws ToolError with a text for the model. After any other error the model receives only a notice of the failure.
   */
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): unknown;
}

/** Returns the effects of a call with these arguments. An unknown effect counts as `outside`. */
export function effectsOf({ effects = 'outside' }: PluginTool, args: Readonly<Record<string, unknown>>): ToolEffects {
  if (typeof effects !== 'function') return effects;
  try {
    const declared = effects(args);
    return toolEffects.includes(declared) ? declared : 'outside';
  } catch {
    return 'outside';
  }
}

/** Texts of the approval prompt, a few words each. */
export interface ApprovalWords {
  /** Default: the name of the tool. */
  readonly title?: string;
  readonly reason?: string;
}

export type NeedsApproval = boolean | ApprovalWords | Promise<boolean | ApprovalWords>;

/**
 * Requests the user's approval for a call that has had no effect yet: because of a finding of the tool, or because the terms have
 * changed since an earlier approval.
 */
export class AskUser extends Error {
  override readonly name = 'AskUser';
  readonly words: ApprovalWords;

  constructor(words: ApprovalWords) {
    super(words.reason ?? 'the user has to allow it');
    this.words = words;
  }
}

/** A failure that the model can explain to the user. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/**
 * The call was made, but its effect is unknown, for example because the connection broke before the reply. The user and the model
 * receive that statement after this message; for a tool without effects, this message alone.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** Defines a tool; its arguments have the type of its schema. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<PluginTool, 'inputSchema' | 'execute'> & {
    readonly inputSchema: Schema;
    execute(args: z.output<Schema>, context: ToolContext): unknown;
  },
): PluginTool {
  return tool as PluginTool;
}

/** Returns the result of a call. @throws ToolError with the text of the failure. */
export function resultOf(answer: ToolAnswer): unknown {
  if (!answer.ok) throw new ToolError(answer.error);
  return answer.result;
}

/** Above the maximum of `FRONTEND_TOOL_TIMEOUT_MS`, the actual time limit for tabs. */
const timeoutMs = 150_000;

/** Creates a tool from a capability that a tab has declared. The last argument runs the capability in the tab. */
export function tabTool(
  { name, description, schema }: ModelTool,
  kind: NonNullable<PluginTool['kind']>,
  callBrowser: (emit: ToolContext['emit'], call: BrowserCall) => Promise<ToolAnswer>,
): PluginTool {
  return {
    kind,
    name,
    description,
    inputSchema: schema,
    isForeign: true,
    isOfClient: true,
    // The call happens visibly in the user's own page.
    effects: 'inside',
    timeoutMs,
    execute: async (args, { emit, toolCallId }) =>
      resultOf(await callBrowser(emit, { toolName: name, args, toolCallId })),
  };
}
