import type { MeteredTurn } from '../after/turn-usage.js';
import type { LoopPause } from '../loop/tool-loop.js';
import type { Turn } from './turn.js';
import { notKept } from './turn-ending.js';
import type { TurnEvents } from './turn-events.js';
import type { TurnOutcome } from './turn-outcome.js';
import type { RunParts } from './turns-parts.js';

/** Lets go of the run until its user has said what is to be done; those who follow it are asked once that can be answered. */
export async function letWait(
  turn: Turn,
  { paused, calls, lease }: RunParts,
  events: TurnEvents,
  outcome: TurnOutcome,
  { messages, steps }: LoopPause,
  untold: MeteredTurn | undefined,
): Promise<TurnOutcome> {
  const { run, request, resumed, draft, traceparent } = turn;
  const { model, tools, agActions, responseSchema, timezone, metadata } = request;
  const told = { ...(tools && { tools }), ...(agActions && { agActions }), ...(timezone && { timezone }) };
  const pauses = (resumed?.state.pauses ?? 0) + 1;
  const state = {
    modelId: model.id,
    saidChars: draft.content.length,
    messages,
    steps,
    pauses,
    ...told,
    ...(metadata && { metadata }),
    ...(responseSchema && { responseSchema }),
    ...(traceparent && { traceparent }),
  };
  try {
    if (!(await paused.pause(run, lease.writerId, state, untold))) return { ...outcome, status: 'interrupted' };
    for (const { id, name, args, plugin, approval, expiresAt } of await calls.ofRun(run)) {
      if (approval?.state !== 'waiting' || expiresAt === undefined) continue;
      const { title, reason } = approval;
      const { sessionId, requestId } = run;
      const at = draft.toolCalls.find((call) => call.id === id)?.at;
      const place = {
        sessionId,
        requestId,
        toolCallId: id,
        toolName: name,
        args: { ...args },
        ...(at !== undefined && { at }),
      };
      events.tell({
        event: 'approval_request',
        data: { ...place, title, reason, plugin, expiresAt: expiresAt.toISOString() },
      });
    }
    return outcome;
  } catch (cause) {
    return { ...outcome, status: 'failed', failure: { ...notKept, cause } };
  }
}
