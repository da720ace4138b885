import { ModelError } from '../../models/model-error.js';
import { lookFirst } from '../../runs/interrupted-error.js';
import { stopReason } from './stop-reason.js';
import type { Draft, Ending, TurnFailure } from './turn-outcome.js';

/** How a turn ended whose model has come to its end, or that was stopped. One whose tools did something needs no words. */
export function turnEnding(
  { content, acted, isCut }: Pick<Draft, 'content' | 'acted' | 'isCut'>,
  signal: AbortSignal,
): Ending {
  switch (stopReason(signal)) {
    case 'aborted':
      return { status: 'aborted' };
    case 'superseded':
    case 'lost':
      return { status: 'interrupted' };
    case 'shutdown':
      return { status: 'interrupted', failure: serviceStops };
    case 'timeout':
      return { status: 'failed', failure: tookTooLong };
    case undefined:
      if (content !== '' || acted > 0) return { status: 'finished' };
      return { status: 'failed', failure: isCut ? onlyThought : nothingSaid };
  }
}

/** How a turn ended that could not go on. */
export function turnFailed(cause: unknown): Ending {
  if (!(cause instanceof ModelError)) {
    return { status: 'failed', failure: { ...couldNotAnswer, cause } };
  }
  const { kind, detail, retryable, status, code } = cause;
  return { status: 'failed', failure: { kind, source: 'model', detail, retryable, status, code, cause } };
}

/** The same for a turn whose tools were called: whoever sent the message again would have them called again. */
export function withoutRepeat(ending: Ending): Ending {
  const { failure } = ending;
  if (failure === undefined) return ending;
  const detail = `${failure.detail.replace(' Please send the message again.', '')} ${lookFirst}`;
  return { ...ending, failure: { ...failure, detail, retryable: false } };
}

/** What could not be written at the end of a turn. */
export const notKept = failure(
  'server',
  'store',
  'The answer could not be saved. It will be missing from the conversation.',
);

const couldNotAnswer = failure('unknown', 'model', 'The model could not answer.');

const serviceStops = failure('interrupted', 'service', 'The service is restarting. Please send the message again.');

const tookTooLong = failure('timeout', 'model', 'The answer took too long.');

const nothingSaid = failure('server', 'model', 'The model gave no answer.');

/** Those that think before they answer count that as well. */
const onlyThought: TurnFailure = {
  kind: 'unknown',
  source: 'model',
  detail: 'The model reached its length limit before it said anything. Please tell its operator.',
  retryable: false,
};

/** One that may go well when the message is sent again. */
function failure(kind: TurnFailure['kind'], source: string, detail: string): TurnFailure {
  return { kind, source, detail, retryable: true };
}
