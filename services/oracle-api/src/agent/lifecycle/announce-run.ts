import type { Turn } from './turn.js';
import { tellAll } from './turn-events.js';
import { questionIdOf } from './turn-request.js';
import type { TurnsParts } from './turns-parts.js';

/**
 * Tells all who follow a session that a message of it waits for its turn, or is answered from now on: with the message, for those who
 * did not send it, and the run, for them to join.
 */
export function announceRun(
  { run, request }: Pick<Turn, 'run' | 'request'>,
  status: 'queued' | 'running',
  { listeners, now, log }: Pick<TurnsParts, 'listeners' | 'now' | 'log'>,
): void {
  const { runId, sessionId, requestId } = run;
  const { message, attachments, instead } = request;
  const data = {
    ...{ sessionId, requestId, runId, status, messageId: questionIdOf(requestId), message },
    ...(attachments === undefined ? {} : { attachments: attachments.map((each) => ({ ...each })) }),
    ...(instead === undefined ? {} : { instead: instead.of.messageId }),
    timestamp: now().toISOString(),
  };
  tellAll(listeners, run, { event: 'run_status', data }, (err) => log.error({ err, runId }, 'event of a turn lost'));
}
