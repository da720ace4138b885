import { type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { RunStore } from '../runs/run-store.js';
import type { TurnEvent, TurnEvents } from './turn-event.js';

/** Keeps what belongs in the stream of a run; the rest is for sockets. */
export function runRecorder(runs: Pick<RunStore, 'append'>): TurnEvents {
  return {
    emit: async ({ runId }, event) => {
      if (isOfStream(event)) await runs.append(runId, event);
    },
  };
}

function isOfStream(event: TurnEvent): event is RunEvent {
  return Object.hasOwn(runEvents, event.event);
}
