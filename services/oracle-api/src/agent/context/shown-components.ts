import type { LiveEvent } from '@mlango/schemas/oracle-events';
import type { StoredComponent } from '../../store/conversation-store.js';
import { turnLimits } from '../turn-limits.js';

type Told = Omit<Extract<LiveEvent, { event: 'render_component' }>['data'], 'sessionId' | 'requestId'>;

/**
 * What a page shows with an answer, after one more component was told of: one that it shows already stays where it is. What is too much to
 * be kept is left out. Pure.
 */
export function withComponent(
  shown: readonly StoredComponent[],
  { componentName, args, status, eventId, at = 0 }: Told,
): readonly StoredComponent[] {
  const isIt = (each: StoredComponent) => (each.eventId ?? each.componentName) === (eventId ?? componentName);
  const known = shown.find(isIt);
  const component = { componentName, args, status, eventId, at: known?.at ?? at };
  if (JSON.stringify(component).length > turnLimits.argsChars) return shown;
  if (known !== undefined) return shown.map((each) => (isIt(each) ? component : each));
  return shown.length < turnLimits.components ? [...shown, component] : shown;
}
