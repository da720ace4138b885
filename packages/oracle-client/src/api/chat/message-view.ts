import { type AnswerDraft, callsOf, contentOf, emptyDraft, storedAnswer } from './answer.js';
import type { LiveTurn, SentMessage } from './live-turn.js';
import type { AnswerEnding, IMessage } from './message.js';
import type { MessageRecord } from './message-record.js';

interface Shown {
  readonly sources: readonly unknown[];
  readonly message: IMessage;
}

/** Shows a message, as a new object if one of its sources has changed. */
type Add = (id: string, sources: readonly unknown[], make: () => Omit<IMessage, 'id'>) => void;

/**
 * The messages of a conversation for a page: stored and current ones, each once. An unchanged message is the same object each
 * time, and an unchanged list the same list.
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
    const add: Add = (id, sources, make) => {
      const known = before.get(id);
      const isSame =
        known?.sources.length === sources.length && sources.every((source, at) => source === known.sources[at]);
      const shown = isSame ? known : { sources, message: withSameContent(known?.message, { id, ...make() }) };
      this.#shown.set(id, shown);
      list.push(shown.message);
    };
    const addDraft = (turn: LiveTurn) => {
      const { requestId, draft } = turn;
      if (answered.has(requestId) || isBlank(draft)) return;
      const ending = answerEnding(undefined, turn);
      add(requestId, [draft, ending], () => ({ ...this.#answer(draft, undefined, true), ...endingFields(ending) }));
    };

    for (const [index, record] of records.entries()) {
      const turn = places.get(index);
      if (record.type === 'ai') this.#addStored(add, record, byRequest.get(record.id));
      else {
        const isWaiting = isQueued(turn);
        add(turn?.sent?.id ?? record.id, [record, isWaiting], () => ({ ...humanOf(record), ...queuedOf(isWaiting) }));
      }
      if (turn !== undefined) addDraft(turn);
    }
    const placed = new Set(places.values());
    for (const turn of [...turns].sort(unsentLast)) {
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

  #addStored(add: Add, record: MessageRecord, turn: LiveTurn | undefined): void {
    const { draft, phase } = turn ?? {};
    // An announced answer is incomplete.
    const isComing = phase === 'reading' && draft?.isOver === false;
    const ending = answerEnding(record, turn);
    add(record.id, [draft, record, isComing, ending], () => ({
      ...this.#answer(draft, record, isComing),
      ...endingFields(ending),
    }));
  }

  #answer(draft: AnswerDraft | undefined, record: MessageRecord | undefined, isComing: boolean): Omit<IMessage, 'id'> {
    const came = draft ?? emptyDraft;
    const shown = isComing || record === undefined ? came : storedAnswer(came, record, this.#sessionId);
    const toolCalls = callsOf(shown);
    const reasoning = draft?.reasoning || record?.reasoning;
    return {
      type: 'ai',
      content: contentOf(shown),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
      isReasoning: draft?.isReasoning === true,
      isComplete: draft === undefined || draft.isOver || !isComing,
      ...(record?.createdAt === undefined ? {} : { createdAt: record.createdAt }),
      ...(record?.siblings === undefined ? {} : { siblings: record.siblings }),
    };
  }
}

/** A streamed answer is shown as received. */
function withSameContent(before: IMessage | undefined, now: IMessage): IMessage {
  const isSame = now.isComplete && JSON.stringify(before?.content) === JSON.stringify(now.content);
  return before !== undefined && isSame ? { ...now, content: before.content } : now;
}

/** The record of each message that this page has sent, by turn. */
function placesOf(records: readonly MessageRecord[], turns: readonly LiveTurn[]): Map<number, LiveTurn> {
  const places = new Map<number, LiveTurn>();
  for (const turn of turns) {
    const { sent, after, isAside = false } = turn;
    if (sent === undefined) continue;
    const start = records.findIndex(({ id }) => id === after) + 1;
    // An unsent message is not the stored one with the same text.
    const mayBeAnyOf = !isAside && turn.phase !== 'unsent';
    const isIt = ({ id, type, content }: MessageRecord, at: number) =>
      type === 'human' && !places.has(at) && (id === sent.id || (mayBeAnyOf && at >= start && content === sent.text));
    const at = records.findIndex(isIt);
    if (at !== -1) places.set(at, turn);
  }
  return places;
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

function unsentLast(one: LiveTurn, other: LiveTurn): number {
  return Number(one.phase === 'unsent') - Number(other.phase === 'unsent');
}

function isQueued(turn: LiveTurn | undefined): boolean {
  return turn?.run?.status === 'queued';
}

function queuedOf(isWaiting: boolean) {
  return isWaiting ? { isQueued: true } : {};
}

function endingFields(ending: AnswerEnding | undefined) {
  if (ending === undefined) return {};
  return { ending, ...(ending === 'interrupted' ? { isInterrupted: true } : {}) };
}

function isBlank({ text, components, reasoning }: AnswerDraft): boolean {
  return text === '' && components.length === 0 && reasoning === '';
}

const endings: Readonly<Record<string, AnswerEnding>> = {
  aborted: 'stopped',
  interrupted: 'interrupted',
  failed: 'failed',
};

/**
 * How an answer ended early; undefined for all others, and while it is running. The stored ending has precedence over the one
 * that this page saw, which may have been cut off before the end. Pure.
 */
function answerEnding(
  record: Pick<MessageRecord, 'status' | 'finishReason'> | undefined,
  turn: Pick<LiveTurn, 'phase' | 'run' | 'draft'> | undefined,
): AnswerEnding | undefined {
  if (turn?.phase === 'reading') return undefined;
  if (record?.status !== undefined) return endingOf(record.status, record.finishReason === 'length');
  return turn?.phase === 'over' ? endingOf(turn.run?.status, turn.draft.isCut === true) : undefined;
}

function endingOf(status: string | undefined, isCut: boolean): AnswerEnding | undefined {
  return endings[status ?? ''] ?? (isCut ? 'length' : undefined);
}
