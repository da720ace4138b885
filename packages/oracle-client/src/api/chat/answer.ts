import type { RunEvent, RunFailure } from '../streams/run-event.js';
import type { IMessageComponent, IToolCall, MessageContent, PlacedComponent } from './message.js';
import type { MessageRecord } from './message-record.js';

/** A running answer. */
export interface AnswerDraft {
  readonly text: string;
  /** In the order of the first report. */
  readonly components: readonly PlacedComponent[];
  readonly reasoning: string;
  readonly isReasoning: boolean;
  readonly failure?: RunFailure;
  readonly isOver: boolean;
  /** It was as long as it may be. */
  readonly isCut?: boolean;
}

export const emptyDraft: AnswerDraft = { text: '', components: [], reasoning: '', isReasoning: false, isOver: false };

/**
 * The draft after an event. Pure; the same draft if nothing changes.
 *
 * @param isInOrder the event belongs to the stream of the run: it follows the existing text
 */
export function growDraft(draft: AnswerDraft, event: RunEvent, isInOrder = true): AnswerDraft {
  switch (event.kind) {
    case 'text':
      if (event.text === '') return draft;
      return { ...draft, text: draft.text + event.text, isReasoning: false };
    case 'reasoning':
      return { ...draft, reasoning: draft.reasoning + event.text, isReasoning: !event.isComplete };
    case 'component': {
      const at = event.at ?? (isInOrder ? draft.text.length : undefined);
      return { ...draft, components: withComponent(draft.components, event.component, at), isReasoning: false };
    }
    case 'failure':
      // The error component follows the text.
      return {
        ...draft,
        components: withComponent(draft.components, event.component, undefined),
        failure: event.failure,
      };
    case 'done':
      return {
        ...draft,
        text: event.partialText || draft.text,
        isReasoning: false,
        isOver: true,
        ...(event.isCut === true ? { isCut: true } : {}),
      };
    case 'restart':
      return { ...emptyDraft, components: draft.components.filter(isOfSocket) };
    case 'run':
      return draft;
  }
}

/** The component of a pending approval, until the call continues. */
const approvalComponent = 'ApprovalRequest';

/** The run stream does not contain these components, so a restart keeps them. */
function isOfSocket({ component }: PlacedComponent): boolean {
  return component.kind === 'render_component' && component.name !== approvalComponent;
}

function withComponent(
  placed: readonly PlacedComponent[],
  component: IMessageComponent,
  at: number | undefined,
): readonly PlacedComponent[] {
  const isSame = (each: PlacedComponent) =>
    each.component.kind === component.kind && each.component.id === component.id;
  const known = placed.find(isSame);
  if (known === undefined) {
    // An approved call keeps the position of its approval request.
    const request = placed.find((each) => isRequestOf(each, component));
    return [...placed.filter((each) => each !== request), { component, at: request?.at ?? at }];
  }
  // Sockets and the stream report the same call. A finished call does not run again.
  const isLate = known.component.status !== 'isRunning' && component.status === 'isRunning';
  const shown = { component: isLate ? known.component : component, at: known.at ?? at };
  return placed.map((each) => (isSame(each) ? shown : each));
}

function isRequestOf({ component: { name, id } }: PlacedComponent, call: IMessageComponent): boolean {
  return name === approvalComponent && id === call.id;
}

/** Text and components of an answer. */
type Answer = Pick<AnswerDraft, 'text' | 'components'>;

/** An answer as stored by the oracle, with the received parts that the oracle does not store. Pure. */
export function storedAnswer(draft: Answer, record: MessageRecord, sessionId: string): Answer {
  const isSame = draft.text === record.content;
  const came = new Map(draft.components.map((each) => [keyOf(each), each]));
  const isPending = ({ id, status }: IToolCall) =>
    status === 'isRunning' && came.get(`render_component ${id}`)?.component.name === approvalComponent;
  const listed = (record.toolCalls ?? []).filter((call) => !isPending(call));
  const calls = listed.map((call): PlacedComponent => {
    const known = came.get(`action_call ${call.id}`) ?? came.get(`tool_call ${call.id}`);
    const component = componentOf(known?.component.kind ?? 'tool_call', call, sessionId);
    return { component, at: call.at ?? (isSame ? known?.at : undefined) ?? 0 };
  });
  const stored = [...calls, ...(record.components ?? [])];
  const keys = new Set(stored.map(keyOf));
  const callIds = new Set(calls.map(({ component }) => component.id));
  const others = draft.components.filter(
    (each) => !keys.has(keyOf(each)) && (isSame || !isCall(each)) && !isSettled(each, callIds),
  );
  return { text: record.content, components: [...stored, ...others] };
}

/**
 * The text with its components in their places, each call before its own components; components without a place follow the call
 * with their id, or the text. Pure.
 */
export function contentOf({ text, components }: Answer): MessageContent {
  if (components.length === 0) return text;
  const places = new Map(components.filter(isCall).map(({ component, at }) => [component.id, at]));
  const placed = components
    .map((each) => ({ ...each, at: Math.min(each.at ?? places.get(each.component.id) ?? text.length, text.length) }))
    .sort((one, other) => one.at - other.at || Number(isCall(other)) - Number(isCall(one)));
  const content: (string | IMessageComponent)[] = [];
  let end = 0;
  for (const { component, at } of placed) {
    if (at > end) content.push(text.slice(end, at));
    content.push(component);
    end = at;
  }
  if (text.length > end) content.push(text.slice(end));
  return content;
}

/** The calls among the components of an answer. */
export function callsOf({ components }: Answer): IToolCall[] {
  return components.filter(isCall).map(({ component: { id, name, args, status, output, error } }) => ({
    id,
    name,
    args,
    ...(status === undefined ? {} : { status }),
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
  }));
}

function keyOf({ component: { kind, id } }: PlacedComponent): string {
  return `${kind} ${id}`;
}

function isCall({ component: { kind } }: PlacedComponent): boolean {
  return kind === 'tool_call' || kind === 'action_call';
}

/** The component of a listed call. */
function isSettled({ component: { name, id } }: PlacedComponent, callIds: ReadonlySet<string>): boolean {
  return name === approvalComponent && callIds.has(id);
}

function componentOf(
  kind: IMessageComponent['kind'],
  { name, id, args, status = 'done', output, error, isUncertain }: IToolCall,
  sessionId: string,
): IMessageComponent {
  return {
    kind,
    name,
    id,
    sessionId,
    args,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(isUncertain === undefined ? {} : { isUncertain }),
  };
}
