import { type LiveEvent, type RunEvent, runEvents } from '@mlango/schemas/oracle-events';

/** What the log of a run keeps: what its stream carries, and components that were shown, of which doors for other clients tell. */
export type KeptEvent = RunEvent | Extract<LiveEvent, { event: 'render_component' }>;

export function isKeptEvent(event: RunEvent | LiveEvent): event is KeptEvent {
  return isOfStream(event) || event.event === 'render_component';
}

/** Whether our own stream carries it: clients of that are told of components by their sockets. */
export function isOfStream({ event }: { readonly event: string }): boolean {
  return Object.hasOwn(runEvents, event);
}
