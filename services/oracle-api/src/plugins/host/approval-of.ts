import type { ApprovalRule } from '../../agent/loop/approvals.js';
import { PluginError } from '../api/plugin-error.js';
import { type ApprovalWords, effectsOf, type PluginTool } from '../api/plugin-tool.js';
import type { RuntimeContext } from '../api/runtime-context.js';
import { type ApprovalPolicy, needsByPolicy } from './approval-policy.js';
import type { PreparedTool } from './prepared-tool.js';

type Args = Readonly<Record<string, unknown>>;

export interface ApprovalQuestion {
  readonly prepared: PreparedTool;
  readonly fingerprint: () => string;
  readonly context: RuntimeContext;
  readonly policy: ApprovalPolicy;
  /** What the user has said of tools for good, the newest first. */
  readonly rules: () => Promise<readonly ApprovalRule[]>;
  readonly report: (error: unknown) => void;
}

/** What the user is asked before a call; undefined where it may be made at once. Never rejects: what cannot tell asks. */
export async function approvalOf(question: ApprovalQuestion, args: Args) {
  const { prepared, report } = question;
  // The model is told what is wrong with them; nobody is asked for what cannot be called.
  if (!prepared.schema.check(args).ok) return undefined;
  const said = await saidOf(question).catch((error: unknown) => {
    report(error);
    return 'unknown' as const;
  });
  if (said === 'allow') return undefined;
  const words = (await needOf(question, args)) ?? (said === undefined ? undefined : wordsOf[said]);
  return words && askOf(prepared.tool, words);
}

const wordsOf = {
  ask: { reason: 'You chose to be asked first.' },
  unknown: { reason: 'It could not be checked whether you want to be asked first.' },
};

/** What the user has said of the tool last, for good. */
async function saidOf({ prepared: { owner, tool }, fingerprint, rules }: ApprovalQuestion) {
  const fits = (rule: ApprovalRule) =>
    [owner, '*'].includes(rule.plugin) &&
    [tool.name, '*'].includes(rule.tool) &&
    (rule.says === 'ask' || rule.fingerprint === fingerprint());
  return (await rules()).find(fits)?.says;
}

/** The words of the tool, where it has some. */
export function askOf(tool: PluginTool, { title, reason }: ApprovalWords): { title: string; reason: string } {
  return { title: title ?? tool.name, reason: reason ?? 'This tool asks before it acts.' };
}

async function needOf(
  { prepared: { tool }, context, policy, report }: ApprovalQuestion,
  args: Args,
): Promise<ApprovalWords | undefined> {
  const needs = needsByPolicy(policy, tool.name);
  if (needs === 'ask') return { reason: 'The operator of this service wants you to be asked.' };
  if (needs === 'free') return undefined;
  const { needsApproval } = tool;
  if (needsApproval === undefined) {
    const isAsked = policy.asksOutside && effectsOf(tool, args) === 'outside';
    return isAsked ? { reason: 'It acts outside this service, or has a lasting effect.' } : undefined;
  }
  try {
    const said = typeof needsApproval === 'function' ? await needsApproval(args, context) : needsApproval;
    if (said === false) return undefined;
    if (typeof said === 'object' && said !== null) return said;
    if (said !== true)
      report(new PluginError('needsApproval returned no answer: return true, false or { title, reason }'));
    return {};
  } catch (error) {
    report(error);
    return {};
  }
}
