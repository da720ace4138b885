import { type LiveEvent, liveEvents, type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { StoredComponent } from '../../store/sessions.js';
import { turnLimits } from '../fixed-limits.js';
import type { FrontendAnswer, FrontendCall, FrontendCalls } from '../loop/turn-tool.js';
import type { Turn } from '../turn.js';
import type { TurnEvent, TurnEvents } from '../turn-events.js';

type DataOf<Name> = Extract<RunEvent | LiveEvent, { event: Name }>['data'];
type Payload<Name> = Omit<DataOf<Name>, 'sessionId' | 'requestId' | 'timestamp' | 'at'>;

/** A call into the user's tab. */
export interface BrowserCall extends Pick<FrontendCall, 'toolName' | 'args'> {
  /** Id of a tool with no other effect than this call. Followers then see one call, that of the tool. */
  readonly toolCallId?: string | undefined;
}

/**
 * Publishes events of a turn for plugins. Session, request and time are set here and cannot be overridden. Events that do not match the
 * wire schema are dropped and reported. Does nothing after the end of the turn. Never rejects.
 */
export interface TurnEmit {
  toolCall(data: Payload<'tool_call'>): Promise<void>;
  reasoning(data: Payload<'reasoning'>): Promise<void>;
  renderComponent(data: Payload<'render_component'>): Promise<void>;
  router(data: Payload<'router_update'>): Promise<void>;
  messageCacheInvalidation(): Promise<void>;
  /** Calls an action of the user's tab, publishes it to the run, and waits for the result. */
  actionCall(call: BrowserCall): Promise<FrontendAnswer>;
  /** Calls a tool of the user's tab and waits for the result. */
  browserToolCall(call: BrowserCall): Promise<FrontendAnswer>;
}

export interface TurnEmitParts {
  readonly turn: Turn;
  readonly events: Pick<TurnEvents, 'publish' | 'room'>;
  readonly frontend: FrontendCalls;
  readonly isOver: () => boolean;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Receives dropped events: the event's name and its invalid fields. */
  readonly onMisshapen: (event: TurnEvent['event'], fields: readonly string[]) => void;
}

const overAnswer: FrontendAnswer = { ok: false, error: 'The turn is over.' };
const misshapenAnswer: FrontendAnswer = { ok: false, error: 'The call has no form that a tab can be sent.' };
const shapes = { ...runEvents, ...liveEvents };

export function turnEmit({ turn, events, frontend, isOver, now, newId, onMisshapen }: TurnEmitParts): TurnEmit {
  const { sessionId, requestId } = turn.run;
  const ids = { sessionId, requestId };
  function shaped(event: TurnEvent['event'], fields: object): TurnEvent | undefined {
    const parsed = shapes[event].safeParse(asJson(fields, { ...ids, timestamp: now().toISOString() }));
    if (parsed.success) return { event, data: parsed.data } as TurnEvent;
    onMisshapen(event, [...new Set(parsed.error.issues.map(({ path }) => path.map(String).join('.')))]);
    return undefined;
  }
  async function publish(event: TurnEvent['event'], fields: object): Promise<void> {
    if (isOver()) return;
    const published = shaped(event, fields);
    if (published === undefined) return;
    if (published.event === 'render_component')
      turn.draft.components = withRenderedComponent(turn.draft.components, published.data);
    events.publish(published);
    await events.room();
  }

  async function callTab(kind: FrontendCall['kind'], requested: BrowserCall): Promise<FrontendAnswer> {
    if (isOver()) return overAnswer;
    const { toolCallId: knownId } = { ...requested };
    const event = shaped('browser_tool_call', { ...requested, toolCallId: knownId ?? newId() });
    if (event?.event !== 'browser_tool_call') return misshapenAnswer;
    const call = event.data;
    const { toolCallId, toolName, args } = call;
    const isPublished = kind === 'action' && knownId === undefined;
    if (isPublished) await publish('action_call', { ...call, status: 'isRunning' });
    const answer = await frontend.call(turn.run, { kind, toolCallId, toolName, args }, turn.signal);
    if (isPublished) {
      const ending = answer.ok
        ? ({ status: 'done', output: JSON.stringify(answer.result ?? null) } as const)
        : ({ status: 'error', error: answer.error } as const);
      await publish('action_call', { ...call, ...ending });
    }
    return answer;
  }

  return {
    toolCall: (data) => publish('tool_call', data),
    reasoning: (data) => publish('reasoning', data),
    renderComponent: (data) => publish('render_component', { ...data, at: turn.draft.content.length }),
    router: (data) => publish('router_update', data),
    messageCacheInvalidation: () => publish('message_cache_invalidation', { status: 'done' }),
    actionCall: (call) => callTab('action', call),
    browserToolCall: (call) => callTab('browser_tool', call),
  };
}

/** An immutable JSON copy for the wire; undefined if it cannot be serialised. */
function asJson(fields: object, own: object): unknown {
  try {
    return JSON.parse(JSON.stringify({ ...fields, ...own }));
  } catch {
    return undefined;
  }
}

type RenderedData = Omit<Extract<LiveEvent, { event: 'render_component' }>['data'], 'sessionId' | 'requestId'>;

/** Adds or updates a component of an answer; an updated one keeps its position. Components over the limits are dropped. Pure. */
export function withRenderedComponent(
  shown: readonly StoredComponent[],
  { componentName, args, status, eventId, at = 0 }: RenderedData,
): readonly StoredComponent[] {
  const isIt = (each: StoredComponent) => (each.eventId ?? each.componentName) === (eventId ?? componentName);
  const known = shown.find(isIt);
  const component = { componentName, args, status, eventId, at: known?.at ?? at };
  if (JSON.stringify(component).length > turnLimits.argsChars) return shown;
  if (known !== undefined) return shown.map((each) => (isIt(each) ? component : each));
  return shown.length < turnLimits.components ? [...shown, component] : shown;
}
