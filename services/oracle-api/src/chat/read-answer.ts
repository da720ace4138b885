import { ModelError } from '../models/model-error.js';
import { stopReason } from './stop-reason.js';
import type { Turn, TurnFailure, TurnOutcome, TurnPorts } from './turn.js';
import { untilAborted } from './until-aborted.js';

/** Characters after which a model is no longer listened to. */
const answerChars = 200_000;

export type Answer = Omit<TurnOutcome, 'messageId'>;

/** Streams the model's answer to those who follow the run, until it ends, fails or is stopped. Never rejects. */
export async function readAnswer(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<Answer> {
  let content = '';
  try {
    const { messages, timezone } = turn;
    const request = {
      messages,
      oracleName: ports.oracleName,
      now: ports.now(),
      ...(timezone === undefined ? {} : { timezone }),
    };
    for await (const part of untilAborted(ports.model.stream(request, signal), signal)) {
      // NUL is the one character that the database cannot keep.
      const delta = part.delta.replaceAll('\u0000', '').slice(0, answerChars - content.length);
      if (delta === '') continue;
      content += delta;
      await ports.emit({ event: 'message', data: { content: delta, timestamp: ports.now().toISOString() } });
      if (content.length >= answerChars) break;
    }
  } catch (cause) {
    if (!signal.aborted) return { status: 'failed', content, failure: modelFailure(cause) };
  }
  return { content, ...howItEnded(content, signal) };
}

function howItEnded(content: string, signal: AbortSignal): Omit<Answer, 'content'> {
  switch (stopReason(signal)) {
    case 'aborted':
      return { status: 'aborted' };
    case 'superseded':
      return { status: 'interrupted' };
    case 'shutdown':
      return { status: 'interrupted', failure: { ...serviceStops } };
    case 'timeout':
      return { status: 'failed', failure: { ...tookTooLong } };
    case undefined:
      return content === '' ? { status: 'failed', failure: { ...nothingSaid } } : { status: 'finished' };
  }
}

function modelFailure(cause: unknown): TurnFailure {
  if (cause instanceof ModelError) {
    return { kind: cause.kind, source: 'model', detail: cause.detail, retryable: cause.retryable, cause };
  }
  return { kind: 'unknown', source: 'model', detail: 'The model could not answer.', retryable: true, cause };
}

const serviceStops: TurnFailure = {
  kind: 'interrupted',
  source: 'service',
  detail: 'The service is restarting. Please send the message again.',
  retryable: true,
};

const tookTooLong: TurnFailure = {
  kind: 'timeout',
  source: 'model',
  detail: 'The answer took too long.',
  retryable: true,
};

const nothingSaid: TurnFailure = {
  kind: 'server',
  source: 'model',
  detail: 'The model gave no answer.',
  retryable: true,
};
