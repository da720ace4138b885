import { type RunEvent, runEvents } from '@mlango/schemas/oracle-events';
import type { RunWriter } from '../../runs/run-writer.js';
import type { TurnEvent, TurnEvents } from './turn-event.js';

/** Keeps what belongs in the stream of a run; the rest is for sockets. */
export function runRecorder(writer: Pick<RunWriter, 'write'>): TurnEvents {
  return {
    emit: (_turn, event) => (isOfStream(event) ? writer.write(event) : undefined),
  };
}

function isOfStream(event: TurnEvent): event is RunEvent {
  return Object.hasOwn(runEvents, event.event);
}
