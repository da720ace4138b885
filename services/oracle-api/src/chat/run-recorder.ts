import { type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { RunWriter } from '../runs/run-writer.js';
import type { TurnEvent, TurnEvents } from './turn-event.js';

/** Keeps what belongs in the stream of a run; the rest is for sockets. */
export function runRecorder(writer: Pick<RunWriter, 'write'>): TurnEvents {
  return {
    emit: async (_turn, event) => {
      if (isOfStream(event)) await writer.write(event);
    },
  };
}

function isOfStream(event: TurnEvent): event is RunEvent {
  return Object.hasOwn(runEvents, event.event);
}
