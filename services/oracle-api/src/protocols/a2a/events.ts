import type { RunStatus } from '@mlango/schemas/oracle-events';
import { eventOf } from '../../http/runs.js';
import type { RunFrame, RunStart } from '../../runs/log/store.js';
import { type RpcId, resultOf } from '../json-rpc.js';
import { artifactOf, statusOf, type TaskParts, type TaskReply, taskOf } from './tasks.js';

export interface TaskEvent {
  readonly task?: TaskReply;
  readonly statusUpdate?: InTask & { readonly status: TaskReply['status'] };
  readonly artifactUpdate?: InTask & {
    readonly artifact: TaskReply['artifacts'][number];
    readonly append: boolean;
    readonly lastChunk: boolean;
  };
}

interface InTask {
  readonly taskId: string;
  readonly contextId: string;
}

/**
 * The frames of a run as task events: first the task without artifacts.
 *
 * @param from status before the first frame
 */
export async function* runEvents(
  parts: TaskParts,
  run: RunStart,
  from: RunStatus,
  frames: AsyncIterable<readonly RunFrame[]>,
): AsyncGenerator<readonly TaskEvent[]> {
  const place = { taskId: run.runId, contextId: run.sessionId };
  const status = (now: RunStatus, ...rest: [Parameters<typeof statusOf>[3]?, string?]) => ({
    statusUpdate: { ...place, status: statusOf(parts, run, now, ...rest) },
  });
  yield [{ task: { ...(await taskOf(parts, run, from)), artifacts: [] } }];
  let hasText = false;
  let failure: string | undefined;
  for await (const batch of frames) {
    const events: TaskEvent[] = [];
    for (const frame of batch) {
      const { event, data } = eventOf(frame);
      if (event === 'message' && data.content !== '') {
        events.push({
          artifactUpdate: { ...place, artifact: artifactOf(data.content), append: hasText, lastChunk: false },
        });
        hasText = true;
      } else if (event === 'tool_call' && data.status === 'isRunning') {
        events.push(status('running', undefined, `Calls ${data.toolName}.`));
      } else if (event === 'error') failure = data.detail;
      else if (event === 'done') {
        const answer = await parts.conversations.findMessage(run.ownerDid, run.sessionId, run.requestId);
        events.push(status(data.status, answer, failure));
      }
    }
    if (events.length > 0) yield events;
  }
}

/** @param id of the request that the stream answers */
export function eventText(id: RpcId, event: TaskEvent): string {
  return `data: ${JSON.stringify(resultOf(id, event))}\n\n`;
}
