import { type AnswerDraft, isComponent, type Segment, textOf } from './answer-draft.js';
import type { IMessageComponent, IToolCall, MessageContent } from './message.js';
import type { MessageRecord } from './message-record.js';

/** The order in which an answer came, as long as it is the answer that was kept. */
export function segmentsOf(
  sessionId: string,
  draft: AnswerDraft | undefined,
  record: MessageRecord | undefined,
): readonly Segment[] {
  const segments = draft?.segments ?? [];
  if (record === undefined) return segments;
  const kept = (record.toolCalls ?? []).map((call) => componentOf(call, sessionId));
  const cameAlong = segments.filter(isComponent);
  const isSame =
    textOf(segments) === record.content && kept.every(({ id }) => cameAlong.some((each) => each.id === id));
  if (isSame) return segments;
  const others = cameAlong.filter(({ kind }) => kind === 'render_component' || kind === 'error');
  return [...kept, ...others, ...(record.content === '' ? [] : [record.content])];
}

export function contentOf(segments: readonly Segment[]): MessageContent {
  const [first = ''] = segments;
  return segments.length <= 1 && typeof first === 'string' ? first : segments;
}

function componentOf(
  { id, name, args, status = 'done', output, error }: IToolCall,
  sessionId: string,
): IMessageComponent {
  return {
    kind: 'tool_call',
    name,
    id,
    sessionId,
    args,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
  };
}

export function callOf(component: IMessageComponent): IToolCall[] {
  const { kind, id, name, args, status, output, error } = component;
  if (kind !== 'tool_call' && kind !== 'action_call') return [];
  return [
    {
      id,
      name,
      args,
      ...(status === undefined ? {} : { status }),
      ...(output === undefined ? {} : { output }),
      ...(error === undefined ? {} : { error }),
    },
  ];
}
