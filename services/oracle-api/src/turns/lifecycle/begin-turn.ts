import type { Turn } from './turn.js';
import type { SendResult } from './turn-request.js';
import type { RunParts } from './turns-parts.js';

type BeginParts = Pick<RunParts, 'conversations' | 'runs' | 'writerId' | 'now' | 'log'>;

/** Begins the log of a turn and keeps its message; undefined once that is done. Rejects when it cannot be, with nothing kept. */
export async function beginTurn(
  turn: Turn,
  parts: BeginParts,
): Promise<Exclude<SendResult['kind'], 'started'> | undefined> {
  await beginLog(turn, parts);
  let isKept = false;
  try {
    const added = await keepMessage(turn, parts);
    isKept = added === 'added';
    if (isKept) return undefined;
    return added === 'absent' ? 'no_session' : 'request_id_used';
  } finally {
    if (!isKept) await parts.runs.forget([turn.run]).catch(() => undefined);
  }
}

async function beginLog(turn: Turn, { runs, writerId, log }: BeginParts): Promise<void> {
  try {
    await runs.begin(turn.run, writerId);
  } catch (err) {
    if (turn.request.isFollowed) throw err;
    // Nobody reads along, and the answer is worth more than its log.
    turn.hasLog = false;
    log.error({ err, runId: turn.run.runId }, 'run without a log');
  }
}

function keepMessage({ request, run }: Turn, { conversations, now }: BeginParts) {
  const { ownerDid, sessionId, requestId, message, attachments } = request;
  return conversations.addMessage(ownerDid, sessionId, {
    // Made from the request id, so that a send that is repeated is found out before anything runs.
    messageId: `${requestId}~human`,
    turnId: run.runId,
    type: 'human',
    content: message,
    ...(attachments === undefined ? {} : { attachments }),
    createdAt: now(),
  });
}
