import { type AnswerDraft, isComponent, type Segment, textOf } from './answer-draft.js';
import type { LiveTurn, SentMessage } from './live-turn.js';
import type { IMessage, IMessageComponent, IToolCall, MessageContent } from './message.js';
import type { MessageRecord } from './message-record.js';

interface Shown {
  readonly sources: readonly unknown[];
  readonly message: IMessage;
}

/**
 * The messages of a conversation as a page shows them: those that the oracle has kept, and those that come just now, each
 * once. A message that does not change is the same object each time, and a list without a change the same list.
 */
export class MessageView {
  #shown = new Map<string, Shown>();
  #list: readonly IMessage[] = [];
  readonly #sessionId: string;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  show(records: readonly MessageRecord[], turns: readonly LiveTurn[]): readonly IMessage[] {
    const before = this.#shown;
    this.#shown = new Map();
    const list: IMessage[] = [];
    const answered = new Set(records.map(({ id }) => id));
    const places = placesOf(records, turns);
    const byRequest = new Map(turns.map((turn) => [turn.requestId, turn]));
    const add = (id: string, sources: readonly unknown[], make: () => Omit<IMessage, 'id'>) => {
      const known = before.get(id);
      const isSame =
        known?.sources.length === sources.length && sources.every((source, at) => source === known.sources[at]);
      const shown = isSame ? known : { sources, message: { id, ...make() } };
      this.#shown.set(id, shown);
      list.push(shown.message);
    };
    const addDraft = (turn: LiveTurn) => {
      const { requestId, draft } = turn;
      if (answered.has(requestId) || isBlank(draft)) return;
      const isCut = isInterrupted(turn);
      add(requestId, [draft, isCut], () => ({ ...this.#answer(draft, undefined, true), ...cutOf(isCut) }));
    };

    for (const [index, record] of records.entries()) {
      const turn = places.get(index);
      const answering = record.type === 'ai' ? byRequest.get(record.id) : undefined;
      if (record.type === 'ai') {
        const { draft, phase } = answering ?? {};
        // What was only heard of an answer is not all of it.
        const isComing = phase === 'reading' && draft?.isOver === false;
        const isCut = isInterrupted(answering);
        add(record.id, [draft, record, isComing, isCut], () => ({
          ...this.#answer(draft, record, isComing),
          ...cutOf(isCut),
        }));
      } else {
        const isWaiting = isQueued(turn);
        add(turn?.sent?.id ?? record.id, [record, isWaiting], () => ({ ...humanOf(record), ...queuedOf(isWaiting) }));
      }
      if (turn !== undefined) addDraft(turn);
    }
    const placed = new Set(places.values());
    for (const turn of turns) {
      const { sent, phase } = turn;
      if (placed.has(turn) || turn.isAside === true) continue;
      const isAnswered = answered.has(turn.requestId);
      const isWaiting = isQueued(turn);
      if (sent !== undefined && !isAnswered)
        add(sent.id, [sent, phase === 'unsent', isWaiting], () => ({
          ...sentOf(sent, phase === 'unsent'),
          ...queuedOf(isWaiting),
        }));
      addDraft(turn);
    }
    const isSame = list.length === this.#list.length && list.every((message, at) => message === this.#list[at]);
    if (!isSame) this.#list = list;
    return this.#list;
  }

  #answer(draft: AnswerDraft | undefined, record: MessageRecord | undefined, isComing: boolean): Omit<IMessage, 'id'> {
    const segments = segmentsOf(this.#sessionId, draft, isComing ? undefined : record);
    const toolCalls = segments.filter(isComponent).flatMap(callOf);
    const reasoning = draft?.reasoning || record?.reasoning;
    return {
      type: 'ai',
      content: contentOf(segments),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
      isReasoning: draft?.isReasoning === true,
      isComplete: draft === undefined || draft.isOver || !isComing,
      ...(record?.createdAt === undefined ? {} : { createdAt: record.createdAt }),
      ...(record?.siblings === undefined ? {} : { siblings: record.siblings }),
    };
  }
}

/** At which record stands the message of each turn that this page has sent. */
function placesOf(records: readonly MessageRecord[], turns: readonly LiveTurn[]): Map<number, LiveTurn> {
  const places = new Map<number, LiveTurn>();
  for (const turn of turns) {
    const { sent, after, isAside = false } = turn;
    if (sent === undefined) continue;
    const start = records.findIndex(({ id }) => id === after) + 1;
    const isIt = ({ id, type, content }: MessageRecord, at: number) =>
      type === 'human' && !places.has(at) && (id === sent.id || (!isAside && at >= start && content === sent.text));
    const at = records.findIndex(isIt);
    if (at !== -1) places.set(at, turn);
  }
  return places;
}

/** The order in which an answer came, as long as it is the answer that was kept. */
function segmentsOf(
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

function contentOf(segments: readonly Segment[]): MessageContent {
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

function callOf(component: IMessageComponent): IToolCall[] {
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

function humanOf({ content, attachments, createdAt, siblings }: MessageRecord): Omit<IMessage, 'id'> {
  return {
    type: 'human',
    content,
    isComplete: true,
    ...(attachments === undefined ? {} : { attachments }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(siblings === undefined ? {} : { siblings }),
  };
}

function sentOf({ text, createdAt, attachments }: SentMessage, isUnsent: boolean): Omit<IMessage, 'id'> {
  return {
    type: 'human',
    content: text,
    isComplete: true,
    ...(isUnsent ? { isUnsent } : {}),
    ...(attachments === undefined ? {} : { attachments }),
    createdAt,
  };
}

function isQueued(turn: LiveTurn | undefined): boolean {
  return turn?.run?.status === 'queued';
}

function queuedOf(isWaiting: boolean) {
  return isWaiting ? { isQueued: true } : {};
}

function isInterrupted(turn: LiveTurn | undefined): boolean {
  return turn?.phase === 'over' && turn.run?.status === 'interrupted';
}

function cutOf(isCut: boolean) {
  return isCut ? { isInterrupted: true } : {};
}

function isBlank({ segments, reasoning }: AnswerDraft): boolean {
  return segments.length === 0 && reasoning === '';
}
