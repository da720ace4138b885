import { firstFrame } from '../runs/log/frames.js';
import type { ClaimedSession } from '../runs/run-repository.js';
import { branchInsteadOf } from '../store/branches.js';
import type { StoredMessage } from '../store/sessions.js';
import type { TurnDeps } from './deps.js';
import type { SendResult, Turn } from './turn.js';
import { questionIdOf } from './turn-request.js';

/** Maximum attempts when other turns run in the session. */
const claimAttempts = 50;

type BeginParts = Pick<TurnDeps, 'runRepository' | 'runs' | 'lease' | 'now' | 'log' | 'limits'>;

type Begun = ClaimedSession | Exclude<SendResult['kind'], 'started'>;

/**
 * Begins the log of a turn, with its first frame unless it may be queued, then claims the run in its session and stores its message in
 * one step. Returns the session data. After a crash before that step nothing has begun; after it the message is stored. Rejects when a
 * store is unavailable or admission refuses the turn; nothing is stored then.
 * @param makeRoom stops the running turn of the session; false when no turn may begin any more
 */
export async function beginTurn(turn: Turn, parts: BeginParts, makeRoom: () => Promise<boolean>): Promise<Begun> {
  let begun: Begun = 'busy';
  try {
    const [allowed, log] = await Promise.allSettled([turn.request.allowed, beginLog(turn, parts)]);
    for (const step of [allowed, log]) if (step.status === 'rejected') throw step.reason;
    begun = await claim(turn, parts, makeRoom);
    return begun;
  } finally {
    if (typeof begun === 'string') await parts.runs.forget([turn.run]).catch(() => undefined);
  }
}

async function beginLog(turn: Turn, { runs, lease, limits, log }: BeginParts): Promise<void> {
  // A turn that may be queued writes its first frame when it starts.
  if (limits.onConflict !== 'enqueue') turn.begun = [firstFrame(turn.run)];
  try {
    await runs.begin(turn.run, lease.writerId, turn.begun);
  } catch (err) {
    if (turn.request.isFollowed) throw err;
    // Without a reader, the answer is worth more than its log.
    turn.hasLog = false;
    log.error({ err, runId: turn.run.runId }, 'run log not started, continuing without it');
  }
}

async function claim(
  { run, request }: Turn,
  { runRepository, limits, lease, now }: BeginParts,
  makeRoom: () => Promise<boolean>,
): Promise<Begun> {
  const { requestId, message, attachments, branchFrom: instead } = request;
  const { runId: id } = run;
  for (let attempt = 0; attempt < claimAttempts; attempt++) {
    const question: StoredMessage = {
      messageId: questionIdOf(requestId),
      turnId: run.runId,
      type: 'human',
      content: message,
      ...(attachments === undefined ? {} : { attachments }),
      ...(instead === undefined ? {} : { branch: branchInsteadOf(instead.of, { id, isAgain: instead.isAgain }) }),
      createdAt: now(),
    };
    const isEnqueued = limits.onConflict === 'enqueue';
    const result = await (isEnqueued
      ? runRepository.enqueue(run, lease, question, limits.queue)
      : runRepository.claim(run, lease, question));
    if (result !== 'occupied') return result;
    if (!(await makeRoom())) break;
  }
  return 'busy';
}
