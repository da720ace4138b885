import { errorOfCall, type StoredMessage, type StoredToolCall } from '../../store/sessions.js';
import type { FoundRun, RunRepository } from '../run-repository.js';
import { parseTextEnds, type TextEnds, textLengthAt } from './frames.js';
import type { RunFrame, RunStart } from './store.js';

export type StoredAnswer = Pick<StoredMessage, 'content' | 'toolCalls' | 'finishReason' | 'createdAt'>;

export interface EndedRunDeps {
  readonly runRepository: Pick<RunRepository, 'find'>;
  /** The stored answer of a run; undefined without one. */
  readonly answerOf: (run: RunStart) => Promise<StoredAnswer | undefined>;
  readonly now: () => Date;
}

/**
 * Frames that replace a deleted log, from the run record and the stored answer, for a reader with the frames up to `last`: `run` for a
 * new reader, the missing text, the tool calls, and the end. A run without a record was deleted with its session.
 * If the reader's text length is unknown, `message` is omitted: `partialText` of `done`, or the conversation, has the whole text.
 */
export async function framesFromAnswer(
  parts: EndedRunDeps,
  run: RunStart,
  record: FoundRun | undefined,
  last: number,
): Promise<RunFrame[]> {
  const { runId, sessionId, requestId } = run;
  const place = { sessionId, requestId };
  if (record === undefined) {
    return numbered(last, [{ event: 'done', data: { runId, status: 'aborted', aborted: true } }]);
  }
  const { status } = record;
  const answer = await parts.answerOf(run);
  const content = answer?.content ?? '';
  const ends = textEndsIn(record, content);
  // A new reader needs no position.
  const textLength = last === 0 ? 0 : ends && textLengthAt(ends, last);
  const text = textLength === undefined ? '' : content.slice(textLength);
  const message = { content: text, timestamp: answer?.createdAt.toISOString() };
  const failure = {
    ...interruptedError((answer?.toolCalls ?? []).length > 0),
    ...place,
    timestamp: parts.now().toISOString(),
  };
  return numbered(last, [
    ...(last === 0 ? [{ event: 'run' as const, data: { runId, ...place } }] : []),
    // The id of the text counts as that of the last text frame, so a reader that resumes after it has all text.
    ...(text === ''
      ? []
      : [{ event: 'message' as const, data: message, leastId: ends && ends.indexOf(content.length) + 1 }]),
    ...(answer?.toolCalls ?? []).filter(({ status }) => status !== 'waiting').map((call) => callEvent(place, call)),
    ...(status === 'interrupted' ? [{ event: 'error' as const, data: failure }] : []),
    { event: 'done', data: doneOf(run, record, answer) },
  ]);
}

/** Characters of the answer that a reader of an ended run has after frame `last`. */
export async function storedTextLength(
  { runRepository }: Pick<EndedRunDeps, 'runRepository'>,
  { ownerDid, runId }: RunStart,
  last: number,
): Promise<number | undefined> {
  const marks = (await runRepository.find(ownerDid, runId))?.textMarks;
  return marks === undefined ? undefined : textLengthAt(parseTextEnds(marks), last);
}

/** Undefined when the stored answer differs from the sent text. */
function textEndsIn({ textMarks }: FoundRun, content: string): TextEnds | undefined {
  if (textMarks === undefined) return undefined;
  const ends = parseTextEnds(textMarks);
  return ends.at(-1) === content.length ? ends : undefined;
}

function callEvent(place: object, stored: StoredToolCall): Event {
  const { id, name, kind, args, output } = stored;
  const error = errorOfCall(stored);
  const ending = { ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) };
  const call = { ...place, toolName: name, args, ...ending };
  if (kind === 'action') {
    return { event: 'action_call', data: { ...call, toolCallId: id, status: error === undefined ? 'done' : 'error' } };
  }
  return { event: 'tool_call', data: { ...call, eventId: id, status: 'done' } };
}

function doneOf({ runId, requestId }: RunStart, { status }: FoundRun, answer: StoredAnswer | undefined): object {
  const cut = answer?.finishReason === undefined ? {} : { finishReason: answer.finishReason };
  if (status === 'finished' || status === 'waiting') return { runId, messageId: requestId, status, ...cut };
  const stored = answer === undefined ? {} : { messageId: requestId, partialText: answer.content };
  return { runId, ...stored, status, [status]: true, ...cut };
}

interface Event {
  readonly event: RunFrame['event'];
  readonly data: object;
  readonly leastId?: number | undefined;
}

function numbered(last: number, events: readonly Event[]): RunFrame[] {
  let id = last;
  return events.map(({ event, data, leastId = 0 }) => {
    id = Math.max(id + 1, leastId);
    return { id, event, data: JSON.stringify(data), textLength: 0 };
  });
}

/** Replaces "send it again" in an error when tools were called. */
export const checkBeforeRetry =
  'Some calls were made before: check the calls of this answer, and ask before repeating them.';

/** Fields of the `error` frame of a run after a process crash, without the run's ids and time. */
export function interruptedError(hasActed: boolean) {
  const detail = `The service was interrupted. ${hasActed ? checkBeforeRetry : 'Please send the message again.'}`;
  return { error: detail, kind: 'interrupted' as const, source: 'service', retryable: !hasActed, detail };
}
