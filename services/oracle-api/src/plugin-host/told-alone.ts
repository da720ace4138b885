import type { RuntimeContext } from '../plugin-kit/runtime-context.js';
import type { TurnRequest } from '../turns/lifecycle/turn-request.js';
import type { ActivePlugin } from './boot-plugins.js';

/** What one plugin alone is told of a turn. */
export type ToldAlone = Pick<RuntimeContext, 'mcpInvocations' | 'matrix'>;

/** Secrets that came with a message, for the plugins that they are meant for. Pure. */
export function toldAlone(
  { name, plugin }: Pick<ActivePlugin, 'name' | 'plugin'>,
  { mcpInvocations, matrix }: Pick<TurnRequest, 'mcpInvocations' | 'matrix'>,
): ToldAlone {
  return {
    ...(name !== 'mcp' || mcpInvocations === undefined ? {} : { mcpInvocations }),
    ...(plugin.receives?.includes('matrix') !== true || matrix === undefined ? {} : { matrix }),
  };
}
