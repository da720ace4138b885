import type { z } from 'zod';
import type { BrowserCall } from '../../agent/prompt/emit.js';
import type { AddedFile } from '../../files/file-intake.js';
import type { ModelTool } from '../../models/language-model.js';
import type { JsonSchema } from '../../models/tool-schemas/tool-schema.js';
import type { RuntimeContext, ToolAnswer } from './runtime-context.js';

/** A turn as a tool sees it: the call has an id, and `abortSignal` is aborted by the tool's deadline too. */
export type ToolContext = RuntimeContext & {
  readonly toolCallId: string;
  /** The same at every try of this call, and of no other: for services that do the same thing once. */
  readonly idempotencyKey: string;
  /**
   * Stores a file that the call returns, as an attachment of the session, and shows it to the model with the result. Same limits as an upload,
   * at most 10 files a call. Never rejects: `reason` says in words for the model why a file was not accepted.
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
 * What a call changes: nothing (`none`), what this service itself keeps of the user (`inside`), or anything else (`outside`), as a
 * payment, a message to somebody or an order do.
 */
export type ToolEffects = 'none' | 'inside' | 'outside';

export const toolEffects: readonly ToolEffects[] = ['none', 'inside', 'outside'];

/** Something that the model may call. */
export interface PluginTool {
  /** How those who follow the turn are told of a call: as `tool_call` (the default), or as `action_call`. */
  readonly kind?: 'tool' | 'action';
  /**
   * Somebody else has named and described it: the user's tab, another service. Its name and its words may be any, and it
   * stands back, unreported, where its name is taken. What they say of it is quoted to the model, as what comes from outside is. Its
   * schema, which must be JSON Schema, is checked as far as that is safe to do with the schema of a stranger; the arguments are
   * passed on as the model gave them.
   */
  readonly isForeign?: boolean;
  /**
   * Programs of the user may call it by its name, too, not only the model (`DOORS=mcp`). Of tools of every turn (`getTools`). A call
   * counts like any other: it is asked for, limited, recorded and paid.
   */
  readonly isOffered?: boolean;
  /** It runs at whoever sent the message, who may take the call over instead of answering it while the turn waits. */
  readonly isOfClient?: boolean;
  /** Letters, digits, `_` and `-`, at most 64. Unique in the oracle. */
  readonly name: string;
  /** For the model: what it does, and when to call it. */
  readonly description: string;
  /** What is said of it that comes from outside, as names of files do: quoted to the model after the description. */
  readonly theirWords?: string;
  /**
   * Whose words it gives back. Those from `outside` (the default) the model is shown as a quotation that says where it is from, in
   * which nothing is an instruction: whatever a page, a file, another service or another person wrote. `own` is for what this service itself says.
   */
  readonly output?: 'outside' | 'own';
  /** What it takes: an object. Arguments that do not fit never reach `execute`; the model is told what is wrong. */
  readonly inputSchema: z.ZodType | JsonSchema;
  /** What a call changes, or that by its arguments. Default `outside`. */
  readonly effects?: ToolEffects | ((args: Readonly<Record<string, unknown>>) => ToolEffects);
  /**
   * Whether the user has to allow a call before it is made: always, or by its arguments, with words for who is asked. Asked once
   * for a call; where it throws, the user is asked. Without it, calls with effects `outside` are asked for in production.
   */
  readonly needsApproval?:
    | boolean
    | ((args: Readonly<Record<string, unknown>>, context: RuntimeContext) => NeedsApproval);
  /**
   * How often the very same call is made in a turn, from 1: more where it looks whether something is done, as `Infinity` for as
   * often as the turn has steps. Default `TURN_SAME_CALLS`.
   */
  readonly sameCalls?: number;
  /** How long a call may take, in ms. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * @returns JSON data for the model; nothing counts as `null`.
   * @throws AskUser before it has done anything, where the user has to allow the call first, or once more on other terms.
   * @throws OutcomeUnknownError where it may have been done all the same.
   * @throws ToolError with words for the model. Of any other error the model only learns that there was one.
   */
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): unknown;
}

/** What a call of these arguments changes. A tool that cannot say so may change anything. */
export function effectsOf({ effects = 'outside' }: PluginTool, args: Readonly<Record<string, unknown>>): ToolEffects {
  if (typeof effects !== 'function') return effects;
  try {
    const said = effects(args);
    return toolEffects.includes(said) ? said : 'outside';
  } catch {
    return 'outside';
  }
}

/** What the user is asked, in a few words each. */
export interface ApprovalWords {
  /** Default: the name of the tool. */
  readonly title?: string;
  readonly reason?: string;
}

export type NeedsApproval = boolean | ApprovalWords | Promise<boolean | ApprovalWords>;

/**
 * A call that has done nothing yet and that the user has to allow first: because of what the tool has found out, or once more
 * because the terms have changed since they allowed it.
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
 * The call was made, and whether it took effect is not known, as where the connection broke before the answer came. The user and the model
 * are told just that, with these words before it; of a tool that changes nothing they are told these words alone.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** A tool whose arguments have the type of its schema. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<PluginTool, 'inputSchema' | 'execute'> & {
    readonly inputSchema: Schema;
    execute(args: z.output<Schema>, context: ToolContext): unknown;
  },
): PluginTool {
  return tool as PluginTool;
}

/** What a call gave back. @throws ToolError with the words in which it failed. */
export function resultOf(answer: ToolAnswer): unknown {
  if (!answer.ok) throw new ToolError(answer.error);
  return answer.result;
}

/** Longer than any tab is waited for: how long that is says `FRONTEND_TOOL_TIMEOUT_MS`. */
const timeoutMs = 150_000;

/** Something that a tab has declared, as a tool: `ask` has the tab do it. */
export function tabTool(
  { name, description, schema }: ModelTool,
  kind: NonNullable<PluginTool['kind']>,
  ask: (emit: ToolContext['emit'], call: BrowserCall) => Promise<ToolAnswer>,
): PluginTool {
  return {
    kind,
    name,
    description,
    inputSchema: schema,
    isForeign: true,
    isOfClient: true,
    // It happens in the user's own page, before their eyes.
    effects: 'inside',
    timeoutMs,
    execute: async (args, { emit, toolCallId }) => resultOf(await ask(emit, { toolName: name, args, toolCallId })),
  };
}
