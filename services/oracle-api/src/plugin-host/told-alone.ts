import type { ReceivedSecret } from '../plugin-kit/plugin.js';
import type { RuntimeContext } from '../plugin-kit/runtime-context.js';
import type { TurnRequest } from '../turns/lifecycle/turn-request.js';
import type { ActivePlugin } from './boot-plugins.js';

/** What one plugin alone is told of a turn. */
export type ToldAlone = Pick<RuntimeContext, ReceivedSecret>;

/** Secrets that came with a message, for the plugins that they are meant for. Pure. */
export function toldAlone(
  { plugin }: Pick<ActivePlugin, 'plugin'>,
  { mcpInvocations, matrix }: Pick<TurnRequest, ReceivedSecret>,
): ToldAlone {
  const receives = (secret: ReceivedSecret) => plugin.receives?.includes(secret) === true;
  return {
    ...(!receives('mcpInvocations') || mcpInvocations === undefined ? {} : { mcpInvocations }),
    ...(!receives('matrix') || matrix === undefined ? {} : { matrix }),
  };
}
