import { errorOfCall, type StoredMessage, type StoredToolCall } from '../../store/sessions.js';
import type { FoundRun, RunRepository } from '../run-repository.js';
import { TextMarks } from './frames.js';
import type { RunFrame, RunStart } from './store.js';

export type StoredAnswer = Pick<StoredMessage, 'content' | 'toolCalls' | 'finishReason' | 'createdAt'>;

export interface EndedRunDeps {
  readonly register: Pick<RunRepository, 'find'>;
  /** What of a run's answer was kept; undefined when nothing was. */
  readonly answerOf: (run: RunStart) => Promise<StoredAnswer | undefined>;
  readonly now: () => Date;
}

/**
 * The rest of a run whose log is gone, from what is known of it and what was kept of its answer, for a reader who has the
 * frames up to and with `last`: `run` for one who has none, the text that is missing, the calls of tools, and how it ended.
 * A run that is gone too was deleted with its session.
 *
 * Where nobody knows how much text came with those frames, there is no `message` for who has some: done's `partialText`, or
 * the conversation, has the whole.
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
  const marks = marksOf(record, answer);
  const text = answer?.content.slice(marks?.lengthAt(last) ?? (last === 0 ? 0 : Number.POSITIVE_INFINITY)) ?? '';
  const message = { content: text, timestamp: answer?.createdAt.toISOString() };
  const failure = {
    ...interruptedError((answer?.toolCalls ?? []).length > 0),
    ...place,
    timestamp: parts.now().toISOString(),
  };
  return numbered(last, [
    ...(last === 0 ? [{ event: 'run' as const, data: { runId, ...place } }] : []),
    // Who leaves after it has all frames that brought text.
    ...(text === '' ? [] : [{ event: 'message' as const, data: message, leastId: marks?.lastTextId }]),
    ...(answer?.toolCalls ?? []).filter(({ status }) => status !== 'waiting').map((call) => callEvent(place, call)),
    ...(status === 'interrupted' ? [{ event: 'error' as const, data: failure }] : []),
    { event: 'done', data: doneOf(run, record, answer) },
  ]);
}

/** Characters that a reader has who has the frames up to and with that one, of a run that has ended. */
export async function storedTextLength(
  { register }: Pick<EndedRunDeps, 'register'>,
  { ownerDid, runId }: RunStart,
  last: number,
): Promise<number | undefined> {
  const marks = (await register.find(ownerDid, runId))?.textMarks;
  return marks === undefined ? undefined : TextMarks.read(marks).lengthAt(last);
}

/** They say nothing of an answer that was kept otherwise than it was sent. */
function marksOf({ textMarks }: FoundRun, answer: StoredAnswer | undefined): TextMarks | undefined {
  if (textMarks === undefined) return undefined;
  const marks = TextMarks.read(textMarks);
  return marks.total === (answer?.content ?? '').length ? marks : undefined;
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
  const kept = answer === undefined ? {} : { messageId: requestId, partialText: answer.content };
  return { runId, ...kept, status, [status]: true, ...cut };
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

/** What is said after a failure in the place of "send it again", where tools were called. */
export const checkBeforeRetry =
  'Something was done before that: see the calls of this answer, and ask before it is done again.';

/** What an `error` frame says of a run whose process went away under it, beside the run's own place and time. */
export function interruptedError(hasActed: boolean) {
  const detail = `The service was interrupted. ${hasActed ? checkBeforeRetry : 'Please send the message again.'}`;
  return { error: detail, kind: 'interrupted' as const, source: 'service', retryable: !hasActed, detail };
}
