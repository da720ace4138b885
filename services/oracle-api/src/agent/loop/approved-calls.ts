import type { Turn } from '../turn.js';
import type { CallRecord } from './call-records.js';
import type { LoopParts } from './model-step.js';
import { callTool, type ExecutedCall } from './tool-calls.js';
import { outcomeUnknown, type TurnTool } from './turn-tool.js';

const changed =
  'Not called: the tool or its input has changed since the user was asked. Call it again, so that the user is asked again.';

/**
 * Executes the approved calls of a resumed turn and reports the denied ones to the model. Each call begins once, in one process. Tools
 * and limits are not checked again, because that was done before the approval. A call whose begin could not be recorded is not made and has
 * an unknown outcome. Rejects if the records cannot be read; no call has begun then.
 */
export async function executeApprovedCalls(
  turn: Turn,
  tools: readonly TurnTool[],
  parts: LoopParts,
): Promise<ExecutedCall[]> {
  const records = (await parts.calls.ofRun(turn.run)).filter(
    ({ approval, outcome }) => approval && outcome === undefined,
  );
  const made = await Promise.all(records.map((call) => settleApprovedCall(turn, tools, parts, call)));
  const { draft } = turn;
  for (const call of made) {
    const place = draft.toolCalls.findIndex(({ id }) => id === call.id);
    const at = draft.toolCalls[place]?.at ?? draft.content.length;
    if (place === -1) draft.toolCalls.push({ ...call, at });
    else draft.toolCalls[place] = { ...call, at };
  }
  return made;
}

/** Never rejects, so that a failure of one call does not hide the outcome of another. */
async function settleApprovedCall(
  turn: Turn,
  tools: readonly TurnTool[],
  parts: LoopParts,
  record: CallRecord,
): Promise<ExecutedCall> {
  try {
    return await executeApprovedCall(turn, tools, parts, record);
  } catch (err) {
    parts.log.error({ err, runId: turn.run.runId, tool: record.name }, 'approved tool call failed, outcome unknown');
    return unknown(record);
  }
}

async function executeApprovedCall(
  turn: Turn,
  tools: readonly TurnTool[],
  parts: LoopParts,
  record: CallRecord,
): Promise<ExecutedCall> {
  const { id, name, args, plugin, approval } = record;
  const call = { id, name, args };
  const tool = tools.find((one) => one.name === name && one.plugin === plugin);
  const settled = { ...parts, turn, call, tool, isAllowed: true, onBadCall: () => undefined };
  const refuse = async (refusal: string): Promise<ExecutedCall> => {
    const made = await callTool({ ...settled, refusal });
    try {
      await parts.calls.end(turn.run, id, { status: 'error', output: made.output ?? '', isOwn: true });
    } catch (err) {
      parts.log.error({ err, runId: turn.run.runId, tool: name }, 'tool call outcome not recorded');
    }
    return made;
  };
  if (approval?.state === 'denied') return refuse(denial(approval.why));
  if (tool === undefined || tool.fingerprint !== approval?.fingerprint) return refuse(changed);
  if (turn.signal.aborted) return refuse('Not called: the turn was stopped.');
  const isOurs = await parts.calls.beginApproved(turn.run, id);
  return isOurs ? callTool({ ...settled, refusal: undefined }) : unknown(call);
}

function denial(why: string | undefined): string {
  const reason = why === undefined || why === '' ? '' : ` They say: ${why}${/\p{P}$/u.test(why) ? '' : '.'}`;
  return `Not called: the user did not allow it.${reason} Nothing has happened. Do not try it in another way; ask what they want.`;
}

/** Another process began the call and died, or the begin of the call could not be recorded. */
function unknown({ id, name, args }: Pick<CallRecord, 'id' | 'name' | 'args'>): ExecutedCall {
  return { id, name, args, status: 'unknown', output: JSON.stringify({ error: outcomeUnknown }), isOwn: true };
}

/** Characters of the arguments in the notice; the approval request has all of them. */
const argsChars = 500;

/** Adds a notice to the answer, for clients that do not support approvals. */
export function addApprovalNotice(
  { draft, run }: Turn,
  { events, now }: LoopParts,
  made: readonly ExecutedCall[],
): void {
  const waiting = made.filter(({ status }) => status === 'waiting');
  const isOne = waiting.length === 1;
  const lines = waiting.map(({ name, args }) => `- ${name} ${cut(JSON.stringify(args))}`);
  const text = [
    isOne ? 'This waits for your approval:' : 'These wait for your approval:',
    ...lines,
    isOne
      ? `Allow or deny it in your app, or with POST /runs/${run.runId}/approvals/${waiting[0]?.id}. Nothing happens before that.`
      : `Allow or deny them in your app, or with POST /runs/${run.runId}/approvals/… and the ids of GET /approvals. Nothing happens before that.`,
  ].join('\n');
  const content = draft.content === '' ? text : `\n\n${text}`;
  draft.content += content;
  events.publish({ event: 'message', data: { content, timestamp: now().toISOString() } });
}

function cut(text: string): string {
  return text.length <= argsChars ? text : `${text.slice(0, argsChars)}…`;
}
