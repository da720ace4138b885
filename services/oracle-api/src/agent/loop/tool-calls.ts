import type { StoredToolCall } from '../../store/sessions.js';
import { turnLimits } from '../fixed-limits.js';
import type { Turn } from '../turn.js';
import type { TurnEvent, TurnEvents } from '../turn-events.js';
import type { NewCall } from './call-records.js';
import type { LoopParts, RequestedCall } from './model-step.js';
import type { CallGuard } from './repeat-guard.js';
import type { CallRecords } from './sql-call-records.js';
import { type FrontendAnswer, outcomeUnknown, type ToolCallContext, type TurnTool } from './turn-tool.js';

interface CheckedCall {
  readonly call: RequestedCall;
  readonly tool: TurnTool | undefined;
  /** Why the call is refused. */
  readonly refusal: string | undefined;
  /** The approval request before the call. */
  readonly approvalRequest: Awaited<ReturnType<TurnTool['approvalFor']>>;
}

/**
 * Executes the calls of one step concurrently, except those that require approval. All calls are recorded before any is made. Results
 * are in the order of the calls. Never rejects.
 */
export async function executeCalls(
  turn: Turn,
  tools: readonly TurnTool[],
  parts: LoopParts,
  calls: readonly RequestedCall[],
  guard: CallGuard,
): Promise<ExecutedCall[]> {
  guard.nextStep();
  const checked = await Promise.all(
    calls.map(async (call, place): Promise<CheckedCall> => {
      const tool = tools.find(({ name }) => name === call.name);
      const refusal = guard.refusal(call, place, tool);
      const isRefused = refusal !== undefined || call.problem !== undefined;
      return { call, tool, refusal, approvalRequest: isRefused ? undefined : await tool?.approvalFor(call.args) };
    }),
  );
  const later = postponedCalls(turn, checked);
  const allowed = checked.map((one) => (later.has(one) ? { ...one, refusal: postponed } : one));
  const unrecorded = await recordAll(turn, parts, allowed);
  return Promise.all(
    allowed.map(async ({ call, tool, approvalRequest, refusal = unrecorded }) => {
      if (approvalRequest !== undefined && refusal === undefined) return waiting(call);
      return callTool({ ...parts, turn, call, tool, refusal, onBadCall: () => guard.countBad(call) });
    }),
  );
}

/** Client calls that are not made in this step: a suspended turn cannot end with them, and a client may take one at a time. */
function postponedCalls(turn: Turn, checked: readonly CheckedCall[]): ReadonlySet<CheckedCall> {
  const open = checked.filter(({ call, refusal }) => refusal === undefined && call.problem === undefined);
  const handed = open.filter(({ tool }) => runsOnClient(turn, tool));
  if (open.some(({ approvalRequest }) => approvalRequest !== undefined)) return new Set(handed);
  return new Set(turn.request.callRules?.isSingle === true ? handed.slice(1) : []);
}

const postponed = 'Not called: another call comes first. Call it again after that.';

function waiting({ id, name, args }: RequestedCall): ExecutedCall {
  return { id, name, args, status: 'waiting' };
}

/** The error when the calls could not be recorded, so that none is made; undefined on success. */
async function recordAll(
  { run }: Turn,
  parts: LoopParts,
  checked: readonly CheckedCall[],
): Promise<string | undefined> {
  const made = checked.flatMap((one) => newCall(one, parts.approvalMs));
  try {
    await parts.calls.begin(run, made);
    return undefined;
  } catch (err) {
    parts.log.error({ err, runId: run.runId }, 'tool calls not recorded, not executed');
    return 'Not called: it could not be written down first. Nothing has happened.';
  }
}

function newCall(
  { call: { id, name, args, problem }, tool, refusal, approvalRequest }: CheckedCall,
  forMs: number,
): NewCall[] {
  if (tool === undefined || refusal !== undefined || problem !== undefined) return [];
  const { plugin, kind, fingerprint } = tool;
  const waits = approvalRequest === undefined ? {} : { waits: { request: { ...approvalRequest, fingerprint }, forMs } };
  return [{ id, name, args, plugin, ...(kind === 'action' ? { kind } : {}), ...waits }];
}

/** A call that was made or refused. */
export interface ExecutedCall extends StoredToolCall {
  /** `waiting`: approval is pending, nothing was called, and there is no output. `handed`: the client makes the call after the turn. */
  readonly status: 'done' | 'error' | 'unknown' | 'waiting' | 'handed';
}

export interface ToolCallParts {
  readonly turn: Turn;
  readonly events: Pick<TurnEvents, 'publish' | 'room'>;
  /** Undefined when no tool has that name. */
  readonly tool: TurnTool | undefined;
  readonly call: RequestedCall;
  /** Why the call is refused. */
  readonly refusal: string | undefined;
  readonly calls: Pick<CallRecords, 'end' | 'renewApprovalRequest'>;
  readonly approvalMs: number;
  /** The user has approved exactly this call. */
  readonly isAllowed?: boolean;
  readonly log: LoopParts['log'];
  readonly telemetry: LoopParts['telemetry'];
  /** Called for invalid arguments. */
  readonly onBadCall: () => void;
}

/**
 * Calls a tool for the model and publishes start and end of the call. Never rejects: a failure is an output for the model. If the turn
 * ends during the call, the outcome is unknown to the turn, and recorded when it arrives.
 */
export function callTool(parts: ToolCallParts): Promise<ExecutedCall> {
  return parts.telemetry.call(parts.tool?.plugin, parts.call, () => executeCall(parts));
}

async function executeCall(parts: ToolCallParts): Promise<ExecutedCall> {
  const { turn, events, tool, call, onBadCall } = parts;
  events.publish(callEvent(parts, 'isRunning', {}));
  await events.room();
  const answer = await answerOf(parts);
  if (!answer.ok && answer.isBadCall === true) onBadCall();
  const output = outputOf(answer);
  const status = statusOf(answer);
  if (status === 'waiting') turn.draft.acted -= 1;
  events.publish(callEvent(parts, status, answer.ok ? { output } : { output, error: answer.error }));
  await events.room();
  const { id, name, args } = call;
  const kind = tool?.kind === 'action' ? { kind: 'action' as const } : {};
  return {
    id,
    name,
    ...kind,
    args,
    status,
    ...(status === 'waiting' ? {} : { output, ...markOf(answer), ...filesOf(answer) }),
  };
}

/** A result, and whether its text is this service's own. */
type Answer = FrontendAnswer & { readonly isOwn?: boolean };

const filesOf = (answer: Answer) =>
  answer.ok && answer.attachments !== undefined ? { attachments: answer.attachments } : {};

const markOf = ({ isOwn }: Answer) => (isOwn === true ? { isOwn } : {});

async function answerOf(parts: ToolCallParts): Promise<Answer> {
  const { turn, tool, call, refusal } = parts;
  const { name, args, problem } = call;
  const { signal } = turn;
  const isOwn = true;
  if (refusal !== undefined) return { ok: false, error: refusal, isOwn };
  if (tool === undefined) return { ok: false, error: `There is no tool called ${name}.`, isBadCall: true, isOwn };
  if (problem !== undefined) return { ok: false, error: problem, isBadCall: true, isOwn };
  if (signal.aborted) return { ok: false, error: turnEnded, isOwn };
  turn.draft.acted += 1;
  const called = Promise.resolve()
    .then(() => (runsOnClient(turn, tool) ? handedToClient : tool.call(args, contextOf(parts))))
    .catch((): FrontendAnswer => ({ ok: false, error: 'The tool failed.' }))
    .then(async (answered) => {
      if (!answered.ok && answered.isBadCall === true) turn.draft.acted -= 1;
      const answer = {
        ...answered,
        isOwn:
          tool.hasOwnOutput === true || answered === handedToClient || (!answered.ok && answered.isUnknown === true),
      };
      await record(parts, answer);
      return answer;
    })
    .catch((err: unknown): Answer => {
      parts.log.error({ err, tool: name }, 'tool result unusable');
      return { ok: false, error: 'The tool failed.', isOwn };
    });
  return new Promise((resolve) => {
    const isUnknown = !tool.isHarmless(args);
    const onAbort = () => resolve({ ok: false, error: isUnknown ? outcomeUnknown : turnEnded, isUnknown, isOwn });
    signal.addEventListener('abort', onAbort, { once: true });
    void called.then(resolve).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Whether the client makes the calls of the tool, after the turn. */
function runsOnClient({ request }: Turn, tool: TurnTool | undefined): boolean {
  return request.hasClientTools === true && tool?.isOfClient === true;
}

const handedToClient: FrontendAnswer = {
  ok: true,
  isHandedOver: true,
  result: { note: 'The app of the user runs this call now. The result follows later.' },
};

const turnEnded = 'There is no result: the turn ended before.';

function contextOf({ turn: { run, signal }, call: { id }, isAllowed = false }: ToolCallParts): ToolCallContext {
  return { toolCallId: id, idempotencyKey: `${run.runId}/${id}`, isAllowed, signal };
}

/** Records the outcome of a call. On failure, the conversation stores it at the end of the turn. */
async function record(parts: ToolCallParts, answer: Answer): Promise<void> {
  const { turn, tool, call, calls, approvalMs, log } = parts;
  const { run } = turn;
  const status = statusOf(answer);
  const storeRequest = async () => {
    if (!answer.ok && answer.approvalRequest !== undefined && tool !== undefined) {
      const approvalRequest = { ...answer.approvalRequest, fingerprint: tool.fingerprint };
      await calls.renewApprovalRequest(run, call.id, approvalRequest, approvalMs);
    } else if (status === 'done' || status === 'handed' || status === 'error') {
      await calls.end(run, call.id, {
        status: status === 'handed' ? 'done' : status,
        output: outputOf(answer),
        ...markOf(answer),
      });
    }
  };
  await storeRequest().catch((err: unknown) =>
    log.error({ err, runId: run.runId, tool: call.name }, 'tool call outcome not recorded'),
  );
}

function statusOf(answer: FrontendAnswer): ExecutedCall['status'] {
  if (answer.ok) return answer.isHandedOver === true ? 'handed' : 'done';
  if (answer.approvalRequest !== undefined) return 'waiting';
  return answer.isUnknown === true ? 'unknown' : 'error';
}

/** At most `turnLimits.outputChars` (65,536). */
function outputOf(answer: FrontendAnswer): string {
  const text = JSON.stringify(answer.ok ? (answer.result ?? null) : { error: answer.error }).replaceAll('\\u0000', '');
  return text.length <= turnLimits.outputChars
    ? text
    : JSON.stringify({ error: 'The result was too large to be read.' });
}

function callEvent(
  { turn: { run }, tool, call: { id, name, args } }: ToolCallParts,
  status: 'isRunning' | ExecutedCall['status'],
  ending: { output?: string; error?: string },
): TurnEvent {
  const { sessionId, requestId } = run;
  const call = { sessionId, requestId, toolName: name, args: { ...args } };
  if (tool?.kind === 'action') {
    const shownStatus = status === 'handed' ? 'done' : status === 'isRunning' || status === 'done' ? status : 'error';
    return { event: 'action_call', data: { ...call, toolCallId: id, status: shownStatus, ...ending } };
  }
  const shownStatus = status === 'isRunning' ? 'isRunning' : 'done';
  return { event: 'tool_call', data: { ...call, status: shownStatus, eventId: id, ...ending } };
}
