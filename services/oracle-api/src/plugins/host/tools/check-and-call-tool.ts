import { canonicalJson } from '../../../agent/loop/call-records.js';
import { outcomeUnknown } from '../../../agent/loop/turn-tool.js';
import { CapabilityMissingError } from '../../../agent/prompt/turn-ucan.js';
import type { AddedFile } from '../../../files/file-intake.js';
import type { StoredAttachment } from '../../../store/sessions.js';
import type { PluginLimits } from '../../api/plugin.js';
import { PluginError } from '../../api/plugin-error.js';
import type { ToolCall } from '../../api/plugin-middlewares.js';
import {
  AskUser,
  effectsOf,
  OutcomeUnknownError,
  type PluginTool,
  type ToolContext,
  ToolError,
  type ToolFile,
} from '../../api/plugin-tool.js';
import type { RuntimeContext, ToolAnswer } from '../../api/runtime-context.js';
import type { PluginWrap } from '../model-middlewares.js';
import { inPlugin } from '../plugin-isolation.js';
import { isJson, returnedAnswer } from '../returned-values.js';
import type { PreparedTool } from './prepare-tool.js';
import { approvalPrompt } from './tool-approval.js';

const defaultTimeoutMs = 30_000;

/** Stores a file of a result. The call continues if the file is refused. Never rejects. */
export type AddFile = (file: ToolFile) => Promise<AddedFile>;

/** Files of one result. */
const filesOfResult = 10;

export interface PluginToolCall {
  readonly tool: PreparedTool;
  readonly args: ToolCall['args'];
  readonly toolCallId: string;
  readonly idempotencyKey: string;
  /** The user has allowed these arguments, and no others. */
  readonly isAllowed: boolean;
  readonly signal: AbortSignal;
  readonly context: RuntimeContext;
  /** Upper limit in addition to the tool's own time limit. */
  readonly leftMs: number;
  /** Outermost first. */
  readonly wraps: readonly PluginWrap[];
  readonly report: (error: unknown) => void;
  readonly addFile: AddFile;
}

type Run = (args?: ToolCall['args']) => Promise<ToolAnswer>;

/**
 * Calls a tool through its middlewares, with checked arguments and limited time. Never rejects: each failure is an answer
 * that the model can explain.
 */
export function callPluginTool(call: PluginToolCall): Promise<ToolAnswer> {
  const { wraps, args: input, toolCallId } = call;
  const toolName = call.tool.tool.name;
  const run = wraps.reduceRight<Run>(
    (inner, { plugin, middlewares, context, failClosed, report }) => {
      const wrapTool = middlewares.wrapTool?.bind(middlewares);
      if (wrapTool === undefined) return inner;
      return async (args = input) => {
        let latest: Promise<ToolAnswer> | undefined;
        const runOn: Run = (changed = args) => {
          latest = inner(changed);
          return latest;
        };
        try {
          const wrapped = { ...context, toolCallId };
          return returnedAnswer(await inPlugin(plugin, () => wrapTool({ toolName, args }, runOn, wrapped)));
        } catch (error) {
          report('wrapTool', error);
          if (failClosed) return { ok: false, error: 'A safeguard of this tool failed, so there is no result.' };
          return latest ?? inner(args);
        }
      };
    },
    (args = input) => execute(call, args),
  );
  return run(input);
}

async function execute(call: PluginToolCall, input: ToolCall['args']): Promise<ToolAnswer> {
  const { owner, tool, schema } = call.tool;
  const checked = schema.check(input);
  if (!checked.ok) return { ok: false, error: `The arguments do not fit: ${checked.problem}`, isBadCall: true };
  if (call.isAllowed && canonicalJson(input) !== canonicalJson(call.args)) {
    return { ok: false, error: 'Not called: its arguments were changed after the user had allowed it.' };
  }
  const timeoutMs = Math.ceil(Math.min(tool.timeoutMs ?? defaultTimeoutMs, call.leftMs));
  const deadline = AbortSignal.timeout(timeoutMs);
  const abortSignal = AbortSignal.any([call.signal, deadline]);
  const { toolCallId, idempotencyKey } = call;
  const attachments: StoredAttachment[] = [];
  const addFile: AddFile = async (file) => {
    if (attachments.length >= filesOfResult)
      return { ok: false, reason: `a result has at most ${filesOfResult} files` };
    const added = await call.addFile(file);
    if (added.ok) attachments.push(added.attachment);
    return added;
  };
  const context: ToolContext = { ...call.context, toolCallId, idempotencyKey, abortSignal, addFile };
  try {
    const work = inPlugin(owner, async () => tool.execute(checked.args, context));
    const result = (await untilAbort(work, deadline)) ?? null;
    if (!isJson(result)) throw new PluginError(`execute returned a ${typeof result}: return JSON data`);
    return { ok: true, result, ...(attachments.length === 0 ? {} : { attachments }) };
  } catch (error) {
    if (deadline.aborted) return cutOff(`The tool took longer than ${timeoutMs / 1000} seconds.`, tool, checked.args);
    if (call.signal.aborted) return cutOff('The turn ended.', tool, checked.args);
    if (error instanceof AskUser)
      return { ok: false, error: error.message, approvalRequest: approvalPrompt(tool, error.words) };
    if (error instanceof OutcomeUnknownError) return cutOff(error.message, tool, checked.args);
    if (error instanceof ToolError || error instanceof CapabilityMissingError)
      return { ok: false, error: error.message };
    call.report(error);
    return { ok: false, error: 'The tool failed.' };
  }
}

/** The outcome is unknown unless the tool changes nothing. */
function cutOff(why: string, tool: PluginTool, args: ToolCall['args']): ToolAnswer {
  if (effectsOf(tool, args) === 'none') return { ok: false, error: why };
  return { ok: false, error: `${why} ${outcomeUnknown}`, isUnknown: true };
}

/** Settles with `work` or rejects at the abort, whichever is first. Ignores a later failure of `work`. */
async function untilAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}

const usedUp: ToolAnswer = {
  ok: false,
  error:
    'Not called: the tools of this plugin have had all the time that a turn has for them. Use what they gave back.',
};

/** Limits of one plugin in one turn. */
export class ToolLimits {
  readonly #own: PluginLimits;
  readonly #set: PluginLimits;
  readonly #nowMs: () => number;
  #leftMs: number;

  /**
   * @param own limits of the manifest
   * @param set limits of the operator
   */
  constructor(own: PluginLimits, set: PluginLimits, nowMs: () => number) {
    this.#own = own;
    this.#set = set;
    this.#nowMs = nowMs;
    this.#leftMs = (set.seconds ?? own.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  }

  /** Maximum identical calls of a tool in a turn; undefined for the default. */
  sameCalls({ sameCalls: ofTool }: Pick<PluginTool, 'sameCalls'>): number | undefined {
    return (this.#set.sameCalls ?? ofTool ?? this.#own.sameCalls) || undefined;
  }

  /** Maximum steps that call tools of the plugin; undefined for all. */
  get pluginSteps(): number | undefined {
    return (this.#set.steps ?? this.#own.steps) || undefined;
  }

  /** Runs a call within the remaining time. Rejects only if `call` rejects. */
  async within(call: (leftMs: number) => Promise<ToolAnswer>): Promise<ToolAnswer> {
    if (this.#leftMs <= 0) return usedUp;
    const begunMs = this.#nowMs();
    try {
      return await call(this.#leftMs);
    } finally {
      this.#leftMs -= this.#nowMs() - begunMs;
    }
  }
}
