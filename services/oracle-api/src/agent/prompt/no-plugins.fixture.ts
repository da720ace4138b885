import type { TurnTool } from '../loop/turn-tool.js';
import type { TurnPlugins } from './turn-plugins.js';

/** Plugins of a turn that only provide these tools. */
export const pluginsWith = (tools: readonly TurnTool[]): TurnPlugins => ({
  open: async () => ({
    instructions: '',
    files: [],
    readFiles: async () => [],
    tools: () => tools,
    around: (model) => model,
    close: () => undefined,
  }),
});

export const noPlugins = pluginsWith([]);
