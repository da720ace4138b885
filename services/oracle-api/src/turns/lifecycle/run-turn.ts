import { type Answer, readAnswer } from '../loop/read-answer.js';
import type { Turn, TurnFailure, TurnOutcome, TurnPorts } from './turn.js';

/**
 * Runs one turn to its end: tells that it began, streams the model's answer, keeps it, tells how it ended. An answer that
 * was cut short is kept as far as it came. Never rejects, and always emits `done` last.
 */
export async function runTurn(turn: Turn, ports: TurnPorts, signal: AbortSignal): Promise<TurnOutcome> {
  const place = { sessionId: turn.sessionId, requestId: turn.requestId };
  await ports.emit({ event: 'run', data: { runId: turn.runId, ...place } });
  const outcome = await keepAnswer(turn, ports, await readAnswer(turn, ports, signal));
  if (outcome.failure !== undefined) {
    const { kind, source, detail, retryable, status } = outcome.failure;
    const timestamp = ports.now().toISOString();
    const failure = { error: detail, kind, source, ...(status === undefined ? {} : { status }), retryable, detail };
    await ports.emit({ event: 'error', data: { ...failure, ...place, timestamp } });
  }
  await ports.emit({ event: 'done', data: endOf(turn, outcome) });
  return outcome;
}

async function keepAnswer(turn: Turn, ports: TurnPorts, answer: Answer): Promise<TurnOutcome> {
  const { content, reasoning, toolCalls } = answer;
  if (content === '' && toolCalls === undefined) return answer;
  try {
    const parts = {
      content,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(toolCalls === undefined ? {} : { toolCalls }),
    };
    const isKept = await ports.saveAnswer(parts, ports.now());
    return isKept ? { ...answer, messageId: turn.requestId } : answer;
  } catch (cause) {
    return { ...answer, status: 'failed', failure: answer.failure ?? { ...notKept, cause } };
  }
}

const notKept: TurnFailure = {
  kind: 'server',
  source: 'store',
  detail: 'The answer could not be kept. It will be missing from the conversation.',
  retryable: true,
};

function endOf(turn: Turn, outcome: TurnOutcome) {
  const { status, messageId, content } = outcome;
  return {
    runId: turn.runId,
    ...(messageId === undefined ? {} : { messageId }),
    status,
    ...(status === 'finished' ? {} : { [status]: true }),
    ...(status === 'finished' || content === '' ? {} : { partialText: content }),
  };
}
