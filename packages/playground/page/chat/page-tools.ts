import type { IBrowserTool } from '@mlango/oracle-client';
import { setTheme, type Theme } from '../shell/theme.js';

const themes: readonly Theme[] = ['light', 'dark', 'system'];

/** The tools and state that this tab offers to the oracle. */
export const pageTools: Readonly<Record<string, IBrowserTool>> = {
  set_theme: {
    toolName: 'set_theme',
    description: 'Changes the colours of the page that the user looks at.',
    schema: {
      type: 'object',
      properties: { theme: { type: 'string', enum: themes } },
      required: ['theme'],
      additionalProperties: false,
    },
    fn: ({ theme }: { theme: unknown }) => {
      const known = themes.find((one) => one === theme);
      if (known === undefined) throw new Error(`theme must be one of ${themes.join(', ')}`);
      setTheme(known);
      return { theme: known };
    },
  },
  describe_window: {
    toolName: 'describe_window',
    description: 'Gives the size of the window, and the language and colour scheme of the user.',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    fn: () => ({
      width: window.innerWidth,
      height: window.innerHeight,
      language: navigator.language,
      prefersDark: window.matchMedia('(prefers-color-scheme: dark)').matches,
    }),
  },
};
