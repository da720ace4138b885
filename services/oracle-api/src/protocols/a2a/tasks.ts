import type { RunStatus } from '@mlango/schemas/oracle-events';
import type { RunStart } from '../../runs/log/store.js';
import type { RunRecord, RunRepository } from '../../runs/run-repository.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import type { StoredToolCall } from '../../store/sessions.js';
import { taskNotFound } from './errors.js';

/** A run is a task, and a session its context. */
export interface TaskParts {
  readonly runRepository: Pick<RunRepository, 'find'>;
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly now: () => Date;
}

interface Answer {
  readonly content: string;
  readonly toolCalls?: readonly StoredToolCall[] | undefined;
}

const stateOf: Readonly<Record<RunStatus, string>> = {
  queued: 'TASK_STATE_SUBMITTED',
  running: 'TASK_STATE_WORKING',
  recovering: 'TASK_STATE_WORKING',
  waiting: 'TASK_STATE_INPUT_REQUIRED',
  finished: 'TASK_STATE_COMPLETED',
  aborted: 'TASK_STATE_CANCELED',
  interrupted: 'TASK_STATE_CANCELED',
  failed: 'TASK_STATE_FAILED',
};

/** @throws ServiceError for a task that the user does not have */
export async function findTask({ runRepository }: TaskParts, ownerDid: string, taskId: string): Promise<RunRecord> {
  const run = await runRepository.find(ownerDid, taskId);
  if (run !== undefined) return run;
  throw taskNotFound();
}

export type TaskReply = Awaited<ReturnType<typeof taskOf>>;

/** The current state of a task with its answer. */
export async function taskOf(parts: TaskParts, run: RunStart, status: RunStatus) {
  const { ownerDid, sessionId, requestId, runId } = run;
  const answer = await parts.conversations.findMessage(ownerDid, sessionId, requestId);
  return {
    id: runId,
    contextId: sessionId,
    status: statusOf(parts, run, status, answer),
    artifacts: answer === undefined || answer.content === '' ? [] : [artifactOf(answer.content)],
    history: [],
  };
}

/** @param reason of a failure */
export function statusOf(
  { now }: Pick<TaskParts, 'now'>,
  run: RunStart,
  status: RunStatus,
  answer?: Answer,
  reason?: string,
) {
  const message = messageOf(run, status, answer, reason);
  return { state: stateOf[status], timestamp: now().toISOString(), ...(message && { message }) };
}

/** The answer, or a piece of it. */
export function artifactOf(text: string) {
  return { artifactId: 'answer', parts: [{ text }] };
}

/** Message of a task state. */
function messageOf({ runId, sessionId, requestId }: RunStart, status: RunStatus, answer?: Answer, reason?: string) {
  const waiting = status === 'waiting' ? waitingOf(answer?.toolCalls) : [];
  const parts = [
    ...(reason === undefined ? [] : [{ text: reason }]),
    ...(status === 'waiting'
      ? [{ text: answer?.content ?? 'This needs a decision of the user.' }, { data: { waiting } }]
      : []),
  ];
  if (parts.length === 0) return undefined;
  return { messageId: `${requestId}~${status}`, taskId: runId, contextId: sessionId, role: 'ROLE_AGENT', parts };
}

function waitingOf(calls: readonly StoredToolCall[] = []) {
  return calls
    .filter(({ status }) => status === 'waiting')
    .map(({ id, name, args }) => ({ toolCallId: id, toolName: name, args }));
}
