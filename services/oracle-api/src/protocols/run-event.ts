import type { KeptEvent } from '../runs/kept-event.js';
import type { RunFrame } from '../runs/run-store.js';

/** What a frame says. */
export function eventOf({ event, data }: RunFrame): KeptEvent {
  return { event, data: JSON.parse(data) } as KeptEvent;
}
