import type { RunEvent } from '@mlango/schemas/oracle-events';
import type { RunFrame } from '../runs/run-store.js';

/** What a frame says. */
export function eventOf({ event, data }: RunFrame): RunEvent {
  return { event, data: JSON.parse(data) } as RunEvent;
}
