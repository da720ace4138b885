import type { NewCall } from '../calls/call-records.js';
import type { Turn } from '../lifecycle/turn.js';
import type { AskedCall, LoopParts } from './ask-model.js';
import type { CallGuard } from './call-guard.js';
import { callTool, isHanded, type MadeCall } from './call-tool.js';
import type { TurnTool } from './turn-tool.js';

interface Asked {
  readonly call: AskedCall;
  readonly tool: TurnTool | undefined;
  /** Why the call is not made. */
  readonly refusal: string | undefined;
  /** What the user is asked before it is made. */
  readonly ask: Awaited<ReturnType<TurnTool['asks']>>;
}

/**
 * Makes the calls of one step, all at once, but for those that the user has to allow first: they wait. All are written down before
 * any is made. The results are in the order of the calls. Never rejects.
 */
export async function makeCalls(
  turn: Turn,
  tools: readonly TurnTool[],
  parts: LoopParts,
  calls: readonly AskedCall[],
  guard: CallGuard,
): Promise<MadeCall[]> {
  guard.nextStep();
  const asked = await Promise.all(
    calls.map(async (call, place): Promise<Asked> => {
      const tool = tools.find(({ name }) => name === call.name);
      const refusal = guard.refusal(call, place, tool);
      const isRefused = refusal !== undefined || call.problem !== undefined;
      return { call, tool, refusal, ask: isRefused ? undefined : await tool?.asks(call.args) };
    }),
  );
  const later = laterOf(turn, asked);
  const allowed = asked.map((one) => (later.has(one) ? { ...one, refusal: laterPlease } : one));
  const unrecorded = await recordAll(turn, parts, allowed);
  return Promise.all(
    allowed.map(async ({ call, tool, ask, refusal = unrecorded }) => {
      if (ask !== undefined && refusal === undefined) return waiting(call);
      return callTool({ ...parts, turn, call, tool, refusal, onBadCall: () => guard.countBad(call) });
    }),
  );
}

/** Calls of the client that are not made in this step: a turn that waits cannot end with them, and a client may take one at a time. */
function laterOf(turn: Turn, asked: readonly Asked[]): ReadonlySet<Asked> {
  const open = asked.filter(({ call, refusal }) => refusal === undefined && call.problem === undefined);
  const handed = open.filter(({ tool }) => isHanded(turn, tool));
  if (open.some(({ ask }) => ask !== undefined)) return new Set(handed);
  return new Set(turn.request.callRules?.isSingle === true ? handed.slice(1) : []);
}

const laterPlease = 'Not called: another call comes first. Call it again after that.';

function waiting({ id, name, args }: AskedCall): MadeCall {
  return { id, name, args, status: 'waiting' };
}

/** Why nothing is called where it cannot be written down; undefined where it was. */
async function recordAll({ run }: Turn, parts: LoopParts, asked: readonly Asked[]): Promise<string | undefined> {
  const made = asked.flatMap((one) => newCall(one, parts.approvalMs));
  try {
    await parts.calls.begin(run, made);
    return undefined;
  } catch (err) {
    parts.log.error({ err, runId: run.runId }, 'calls of tools not recorded, so not made');
    return 'Not called: it could not be written down first. Nothing has happened.';
  }
}

function newCall({ call: { id, name, args, problem }, tool, refusal, ask }: Asked, forMs: number): NewCall[] {
  if (tool === undefined || refusal !== undefined || problem !== undefined) return [];
  const { plugin, kind, fingerprint } = tool;
  const waits = ask === undefined ? {} : { waits: { ask: { ...ask, fingerprint }, forMs } };
  return [{ id, name, args, plugin, ...(kind === 'action' ? { kind } : {}), ...waits }];
}
