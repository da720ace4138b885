import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { PluginTool } from '../api/plugin-tool.js';
import { ownToolNames } from './boot-plugins.js';
import { returnedTools } from './check-returned.js';
import type { SeenBy } from './contexts.js';
import { type Asking, askedInTurn } from './failure-report.js';
import { type PreparedTool, prepareTool } from './prepared-tool.js';

interface Brought {
  readonly plugin: OraclePlugin;
  readonly tool: PluginTool;
}

/**
 * The tools of this turn alone, those of strangers last. All plugins are asked at the same time; a tool whose name is taken is
 * left out.
 */
export async function requestToolsOf(seen: readonly SeenBy[], asking: Asking): Promise<PreparedTool[]> {
  const brought = await Promise.all(seen.map((one) => toolsOf(one, asking)));
  const taken = new Set(ownToolNames);
  for (const { active } of seen) for (const { tool } of active.tools) taken.add(tool.name);
  return foreignLast(brought.flat()).flatMap(({ plugin, tool }) => {
    try {
      if (taken.has(tool.name)) {
        if (tool.isForeign === true) return [];
        throw new PluginError(`a tool "${tool.name}" is there already`);
      }
      const prepared = prepareTool(plugin, tool);
      taken.add(tool.name);
      return [prepared];
    } catch (error) {
      asking.report(plugin.name, 'getRequestTools', error);
      return [];
    }
  });
}

/** In their order, but those of strangers after all others. */
export function foreignLast<Tool extends { readonly tool: PluginTool }>(tools: readonly Tool[]): Tool[] {
  const rank = ({ tool }: Tool) => (tool.isForeign === true ? 1 : 0);
  return tools.toSorted((one, other) => rank(one) - rank(other));
}

async function toolsOf({ active: { name, plugin }, context }: SeenBy, asking: Asking): Promise<Brought[]> {
  if (plugin.getRequestTools === undefined) return [];
  return askedInTurn(asking, name, 'getRequestTools', [], async () =>
    returnedTools('getRequestTools', await plugin.getRequestTools?.(context)).map((tool) => ({
      plugin,
      tool: { ...tool },
    })),
  );
}
