import type { LiveEvent, RunEvent } from '@mlango/schemas/oracle-events';
import type { Turn } from '../lifecycle/turn.js';
import type { TurnEvent, TurnEvents } from '../lifecycle/turn-events.js';
import type { FrontendAnswer, FrontendCall, FrontendCalls } from '../loop/frontend-calls.js';

type DataOf<Name> = Extract<RunEvent | LiveEvent, { event: Name }>['data'];
type Payload<Name> = Omit<DataOf<Name>, 'sessionId' | 'requestId' | 'timestamp'>;

/** Something to be done in the user's tab. */
export interface TabCall extends Pick<FrontendCall, 'toolName' | 'args'> {
  /** Of a tool that is nothing but this call: its id. Those who follow the turn are told of one call then, the tool's. */
  readonly toolCallId?: string | undefined;
}

/**
 * Tells those who follow a turn what happens in it; session and request are added here. After the end of the turn nothing
 * is told any more. Never rejects.
 */
export interface TurnEmit {
  toolCall(data: Payload<'tool_call'>): Promise<void>;
  reasoning(data: Payload<'reasoning'>): Promise<void>;
  renderComponent(data: Payload<'render_component'>): Promise<void>;
  router(data: Payload<'router_update'>): Promise<void>;
  messageCacheInvalidation(): Promise<void>;
  /** Calls an action of the user's tab, tells the run of it, and waits for what comes back. */
  actionCall(call: TabCall): Promise<FrontendAnswer>;
  /** Calls a tool of the user's tab, and waits for what comes back. */
  browserToolCall(call: TabCall): Promise<FrontendAnswer>;
}

export interface TurnEmitParts {
  readonly turn: Turn;
  readonly events: Pick<TurnEvents, 'tell' | 'room'>;
  readonly frontend: FrontendCalls;
  readonly isOver: () => boolean;
  readonly now: () => Date;
  readonly newId: () => string;
}

const overAnswer: FrontendAnswer = { ok: false, error: 'The turn is over.' };

export function turnEmit({ turn, events, frontend, isOver, now, newId }: TurnEmitParts): TurnEmit {
  const { sessionId, requestId } = turn.run;
  const ids = { sessionId, requestId };
  const tell = async (event: TurnEvent): Promise<void> => {
    if (isOver()) return;
    events.tell(event);
    await events.room();
  };

  async function callTab(
    kind: FrontendCall['kind'],
    { toolName, args, toolCallId: given }: TabCall,
  ): Promise<FrontendAnswer> {
    if (isOver()) return overAnswer;
    const toolCallId = given ?? newId();
    const call = { ...ids, toolCallId, toolName, args: { ...args } };
    const isToldOf = kind === 'action' && given === undefined;
    if (isToldOf) await tell({ event: 'action_call', data: { ...call, status: 'isRunning' } });
    const answer = await frontend.call(turn.run, { kind, toolCallId, toolName, args }, turn.signal);
    if (isToldOf) {
      const ending = answer.ok
        ? ({ status: 'done', output: JSON.stringify(answer.result ?? null) } as const)
        : ({ status: 'error', error: answer.error } as const);
      await tell({ event: 'action_call', data: { ...call, ...ending } });
    }
    return answer;
  }

  return {
    toolCall: (data) => tell({ event: 'tool_call', data: { ...ids, ...data } }),
    reasoning: (data) => tell({ event: 'reasoning', data: { ...ids, ...data, timestamp: now().toISOString() } }),
    renderComponent: (data) => tell({ event: 'render_component', data: { ...ids, ...data } }),
    router: (data) => tell({ event: 'router_update', data: { ...ids, ...data } }),
    messageCacheInvalidation: () => tell({ event: 'message_cache_invalidation', data: { ...ids, status: 'done' } }),
    actionCall: (call) => callTab('action', call),
    browserToolCall: (call) => callTab('browser_tool', call),
  };
}
