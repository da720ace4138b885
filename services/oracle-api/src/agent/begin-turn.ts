import { firstFrame } from '../runs/log/frames.js';
import type { ClaimedSession } from '../runs/run-repository.js';
import { branchInsteadOf } from '../store/branches.js';
import type { StoredMessage } from '../store/sessions.js';
import type { TurnDeps } from './deps.js';
import { questionIdOf } from './turn-request.js';
import type { SendResult, Turn } from './turn-state.js';

/** How often a message may find another turn in its session. */
const claimAttempts = 50;

type BeginParts = Pick<TurnDeps, 'register' | 'runs' | 'lease' | 'now' | 'log' | 'limits'>;

type Begun = ClaimedSession | Exclude<SendResult['kind'], 'started'>;

/**
 * Begins the log of a turn, with its first frame where nothing may keep it waiting, and then gives it its place in its session and keeps its message, in one step; what
 * there is to know of the session once that is done. A process that dies before has begun nothing, and after it the message is there
 * whatever becomes of the run. Rejects when a store cannot be reached, or the turn is refused, with nothing kept.
 *
 * @param makeRoom stops what runs in the session; false when nothing may begin any more
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
  // One that may have to wait says that it has begun when it has.
  if (limits.onConflict !== 'enqueue') turn.begun = [firstFrame(turn.run)];
  try {
    await runs.begin(turn.run, lease.writerId, turn.begun);
  } catch (err) {
    if (turn.request.isFollowed) throw err;
    // Nobody reads along, and the answer is worth more than its log.
    turn.hasLog = false;
    log.error({ err, runId: turn.run.runId }, 'run log not started, continuing without it');
  }
}

async function claim(
  { run, request }: Turn,
  { register, limits, lease, now }: BeginParts,
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
      ? register.enqueue(run, lease, question, limits.queue)
      : register.claim(run, lease, question));
    if (result !== 'occupied') return result;
    if (!(await makeRoom())) break;
  }
  return 'busy';
}
