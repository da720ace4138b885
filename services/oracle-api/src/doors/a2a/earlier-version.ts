import type { TaskEvent } from './task-events.js';
import type { TaskReply } from './tasks.js';

/** How a version of the protocol lays out what the door says. */
export interface Tongue {
  /** What answers a message. */
  readonly sent: (task: TaskReply) => object;
  readonly task: (task: TaskReply) => object;
  readonly event: (event: TaskEvent) => object;
}

export const version10: Tongue = {
  sent: (task) => ({ task }),
  task: (task) => task,
  event: (event) => event,
};

/** Methods of version 0.3 by their names, with what 1.0 calls them. */
export const methodsOf03: Readonly<Record<string, string>> = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/get': 'GetTask',
  'tasks/cancel': 'CancelTask',
};

/** Version 0.3: each object says in `kind` what it is, and states and roles have names of their own. */
export const version03: Tongue = { sent: task03, task: task03, event: event03 };

type Status = TaskReply['status'];
type Artifact = TaskReply['artifacts'][number];

function task03({ id, contextId, status, artifacts }: TaskReply): object {
  return { kind: 'task', id, contextId, status: status03(status), artifacts: artifacts.map(artifact03), history: [] };
}

/** States after which a stream of this version ends. */
const lastStates = new Set(['completed', 'canceled', 'failed', 'input-required']);

function event03({ task, statusUpdate, artifactUpdate }: TaskEvent): object {
  if (statusUpdate !== undefined) {
    const status = status03(statusUpdate.status);
    return { ...statusUpdate, kind: 'status-update', status, final: lastStates.has(status.state) };
  }
  if (artifactUpdate !== undefined) {
    return { ...artifactUpdate, kind: 'artifact-update', artifact: artifact03(artifactUpdate.artifact) };
  }
  return task === undefined ? {} : task03(task);
}

function status03({ state, timestamp, message }: Status) {
  const said = message && { ...message, kind: 'message', role: 'agent', parts: message.parts.map(part03) };
  return {
    state: state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
    timestamp,
    ...(said && { message: said }),
  };
}

function artifact03({ artifactId, parts }: Artifact): object {
  return { artifactId, parts: parts.map(part03) };
}

function part03(part: { readonly text?: string; readonly data?: unknown }): object {
  return { kind: part.text === undefined ? 'data' : 'text', ...part };
}
