import type { FrontendAnswer, ToolCallContext, TurnTool } from '../../../agent/loop/turn-tool.js';
import type { ModelTool } from '../../../models/language-model.js';
import { effectsOf, type PluginTool } from '../../api/plugin-tool.js';
import type { RuntimeContext } from '../../api/runtime-context.js';
import type { PluginWrap } from '../model-middlewares.js';
import type { ReportFailure } from '../plugin-isolation.js';
import { type AddFile, callPluginTool, type ToolLimits } from './check-and-call-tool.js';
import type { PreparedTool } from './prepare-tool.js';
import { type ApprovalCheck, fingerprintOf, requiredApproval } from './tool-approval.js';

/** Dependencies of all tools of a turn. */
export interface PluginTurnToolParts extends Pick<ApprovalCheck, 'policy' | 'rules'> {
  readonly wraps: readonly PluginWrap[];
  readonly report: ReportFailure;
  /** Stores a file of a tool's result with the session of the turn. */
  readonly addFile: AddFile;
}

type Args = Readonly<Record<string, unknown>>;

/** A tool of a plugin in one turn. A turn has one of each tool and calls few, so all other parts are created on demand. */
export class PluginTurnTool implements TurnTool {
  readonly tool: PluginTool;
  readonly #prepared: PreparedTool;
  readonly #context: RuntimeContext;
  readonly #limits: ToolLimits;
  readonly #parts: PluginTurnToolParts;
  #fingerprint: string | undefined;

  constructor(prepared: PreparedTool, context: RuntimeContext, limits: ToolLimits, parts: PluginTurnToolParts) {
    this.tool = prepared.tool;
    this.#prepared = prepared;
    this.#context = context;
    this.#limits = limits;
    this.#parts = parts;
  }

  get name(): string {
    return this.tool.name;
  }

  get definition(): ModelTool {
    return this.#prepared.modelTool;
  }

  get kind(): TurnTool['kind'] {
    return this.tool.kind ?? 'tool';
  }

  get plugin(): string {
    return this.#prepared.owner;
  }

  get hasOwnOutput(): boolean {
    return this.tool.output === 'own';
  }

  get isOfClient(): boolean {
    return this.tool.isOfClient === true;
  }

  get sameCalls(): number | undefined {
    return this.#limits.sameCalls(this.tool);
  }

  get pluginSteps(): number | undefined {
    return this.#limits.pluginSteps;
  }

  get fingerprint(): string {
    this.#fingerprint ??= fingerprintOf(this.#prepared, this.#parts.policy);
    return this.#fingerprint;
  }

  approvalFor(args: Args): ReturnType<TurnTool['approvalFor']> {
    const { policy, rules } = this.#parts;
    const fingerprint = () => this.fingerprint;
    const question = { prepared: this.#prepared, fingerprint, context: this.#context, policy, rules };
    return requiredApproval({ ...question, report: this.#reporting() }, args);
  }

  isHarmless(args: Args): boolean {
    return effectsOf(this.tool, args) === 'none';
  }

  call(args: Args, call: ToolCallContext): Promise<FrontendAnswer> {
    const { wraps, addFile } = this.#parts;
    const parts = {
      tool: this.#prepared,
      args,
      ...call,
      context: this.#context,
      wraps,
      addFile,
      report: this.#reporting(),
    };
    return this.#limits.within((leftMs) => callPluginTool({ ...parts, leftMs }));
  }

  #reporting(): (error: unknown) => void {
    return (error) => this.#parts.report(this.plugin, `tool ${this.name}`, error);
  }
}
