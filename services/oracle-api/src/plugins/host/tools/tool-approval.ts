import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../../agent/loop/call-records.js';
import type { ApprovalRule, ToolsOfRule } from '../../../agent/loop/sql-approvals.js';
import { PluginError } from '../../api/plugin-error.js';
import { type ApprovalWords, defineTool, effectsOf, type PluginTool, ToolError } from '../../api/plugin-tool.js';
import type { RuntimeContext } from '../../api/runtime-context.js';
import type { Capability } from './on-demand-tools.js';
import type { PreparedTool } from './prepare-tool.js';

/** Approval rules of the operator by tool name; the first match applies. A name may end in `*`. */
export interface ApprovalPolicy {
  readonly tools: readonly { readonly name: string; readonly needs: 'ask' | 'free' }[];
  /** Whether calls with effects outside the service need approval by default. */
  readonly outsideNeedsApproval: boolean;
}

/** The operator's rule for a tool. */
function needsByPolicy({ tools }: ApprovalPolicy, toolName: string): 'ask' | 'free' | undefined {
  const fits = (name: string) => (name.endsWith('*') ? toolName.startsWith(name.slice(0, -1)) : toolName === name);
  return tools.find(({ name }) => fits(name))?.needs;
}

type Args = Readonly<Record<string, unknown>>;

export interface ApprovalCheck {
  readonly prepared: PreparedTool;
  readonly fingerprint: () => string;
  readonly context: RuntimeContext;
  readonly policy: ApprovalPolicy;
  /** Rules that the user stored, newest first. */
  readonly rules: () => Promise<readonly ApprovalRule[]>;
  readonly report: (error: unknown) => void;
}

/** The approval prompt of a call; undefined if none is needed. Never rejects: a failure requires approval. */
export async function requiredApproval(question: ApprovalCheck, args: Args) {
  const { prepared, report } = question;
  // A call with invalid arguments fails before it needs approval.
  if (!prepared.schema.check(args).ok) return undefined;
  const decision = await userDecision(question).catch((error: unknown) => {
    report(error);
    return 'unknown' as const;
  });
  if (decision === 'allow') return undefined;
  const words =
    (await toolRequirement(question, args)) ?? (decision === undefined ? undefined : decisionReasons[decision]);
  return words && approvalPrompt(prepared.tool, words);
}

const decisionReasons = {
  ask: { reason: 'You require approval for this tool.' },
  unknown: { reason: 'Your approval rules could not be checked.' },
};

/** The newest stored rule of the user for the tool. */
async function userDecision({ prepared: { owner, tool }, fingerprint, rules }: ApprovalCheck) {
  const fits = (rule: ApprovalRule) =>
    [owner, '*'].includes(rule.plugin) &&
    [tool.name, '*'].includes(rule.tool) &&
    (rule.says === 'ask' || rule.fingerprint === fingerprint());
  return (await rules()).find(fits)?.says;
}

/** The prompt with defaults for missing texts. */
export function approvalPrompt(tool: PluginTool, { title, reason }: ApprovalWords): { title: string; reason: string } {
  return { title: title ?? tool.name, reason: reason ?? 'This tool requires approval.' };
}

async function toolRequirement(
  { prepared: { tool }, context, policy, report }: ApprovalCheck,
  args: Args,
): Promise<ApprovalWords | undefined> {
  const needs = needsByPolicy(policy, tool.name);
  if (needs === 'ask') return { reason: 'The operator of this service requires your approval.' };
  if (needs === 'free') return undefined;
  const { needsApproval } = tool;
  if (needsApproval === undefined) {
    const isRequired = policy.outsideNeedsApproval && effectsOf(tool, args) === 'outside';
    return isRequired ? { reason: 'It acts outside this service, or has a lasting effect.' } : undefined;
  }
  try {
    const requirement = typeof needsApproval === 'function' ? await needsApproval(args, context) : needsApproval;
    if (requirement === false) return undefined;
    if (typeof requirement === 'object' && requirement !== null) return requirement;
    if (requirement !== true)
      report(new PluginError('needsApproval returned no answer: return true, false or { title, reason }'));
    return {};
  } catch (error) {
    report(error);
    return {};
  }
}

/** Identifies a version of a tool: an approval holds only for an unchanged tool. */
export function fingerprintOf({ owner, version, tool, schema }: PreparedTool, policy: ApprovalPolicy): string {
  const { name, description, theirWords = '', kind = 'tool', needsApproval } = tool;
  const needs = needsByPolicy(policy, name) ?? typeof needsApproval;
  const parts = { owner, version, name, description, theirWords, kind, schema: schema.json, needs };
  return createHash('sha256').update(canonicalJson(parts)).digest('base64url');
}

/** Created once, because a schema is expensive and each turn has this tool. */
const inputSchema = z.object({ name: z.string().describe('of a tool, or of a capability for all of its tools') });

/** The tool for "always ask before …". It only adds a rule: the model cannot remove one, the user removes rules in the app. */
export function requireApprovalTool(
  capabilities: readonly Pick<Capability, 'name' | 'tools'>[],
  requireApproval: (tools: ToolsOfRule) => Promise<ApprovalRule | undefined>,
): PluginTool {
  return defineTool({
    name: 'ask_before',
    description:
      'Requires the approval of the user before each call of a tool, from now on and in all conversations, when the user wants that ("always ask before …"). ' +
      'You cannot undo it: the user does that in the app.',
    effects: 'inside',
    inputSchema,
    execute: async ({ name }) => {
      const isTool = capabilities.some(({ tools }) => tools.some((tool) => tool.name === name));
      if (!isTool && !capabilities.some((capability) => capability.name === name)) {
        throw new ToolError(`There is no tool or capability called ${name}.`);
      }
      const rule = await requireApproval(isTool ? { plugin: '*', tool: name } : { plugin: name, tool: '*' });
      if (rule === undefined)
        throw new ToolError('There are too many approval rules: the user must delete some first.');
      return { asksBefore: name };
    },
  });
}
