import { liveEvents, runEvents } from '@mlango/schemas/oracle-events';
import type { RunFrame } from '../../runs/run-store.js';
import type { StoredComponent } from '../../store/conversation-store.js';
import { withComponent } from '../context/shown-components.js';

/** By the id of each call that frames tell of, the characters of the answer before it. */
export function callPlaces(frames: readonly RunFrame[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const frame of frames) {
    const id = callIdOf(frame);
    if (id !== undefined && !places.has(id)) places.set(id, frame.textLength);
  }
  return places;
}

/** The components that frames tell of, as an answer keeps them. */
export function componentsIn(frames: readonly RunFrame[]): readonly StoredComponent[] {
  return frames
    .filter(({ event }) => event === 'render_component')
    .map(({ data }) => liveEvents.render_component.parse(JSON.parse(data)))
    .reduce(withComponent, []);
}

function callIdOf({ event, data }: RunFrame): string | undefined {
  if (event === 'tool_call') return runEvents.tool_call.parse(JSON.parse(data)).eventId;
  return event === 'action_call' ? runEvents.action_call.parse(JSON.parse(data)).toolCallId : undefined;
}
