import type { TurnPlugins } from './turn-plugins.js';

/** Turns into which nothing plugs. */
export const noPlugins: TurnPlugins = {
  open: async () => ({
    instructions: '',
    files: [],
    tools: () => [],
    around: (model) => model,
    close: () => undefined,
  }),
};
