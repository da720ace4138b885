import { userPreferences } from '@mlango/schemas/oracle-preferences';
import type { UserPreferences } from '../../store/schema.js';
import type { PluginBoot } from '../api/plugin.js';
import { defineTool, ToolError } from '../api/plugin-tool.js';

/** The tool that changes the user's preferences. Absent fields stay unchanged. */
export function setUserPreferences({
  grants,
  now,
}: Pick<PluginBoot<unknown, unknown, 'preferences:write'>, 'grants' | 'now'>) {
  return defineTool({
    name: 'set_user_preferences',
    description:
      'Changes how you talk to the user, from their next message on and in all conversations, or in all of this room where the conversation has one. Give only what is to change. ' +
      'Facts about the user do not belong here.',
    inputSchema: userPreferences.omit({ updatedAt: true }),
    // Instructions are part of every later prompt: anything longer than a few words could control all later turns.
    effects: ({ customInstructions, ...others }) =>
      customInstructions === undefined && Object.values(others).every(isShort) ? 'inside' : 'outside',
    async execute(changes, { user }) {
      const named = Object.entries(changes).filter(([, value]) => value !== undefined);
      if (named.length === 0) throw new ToolError('Name at least one preference.');
      const { updatedAt, ...merged } = await grants['preferences:write'].of(user).merge(partOf(named), now());
      return { ...merged, updatedAt: updatedAt.toISOString() };
    },
  });
}

/** Enough for names, and for words that describe a tone or a length. */
const shortChars = 40;

function isShort(value: unknown): boolean {
  return typeof value === 'string' && value.length <= shortChars && !/[\r\n]/.test(value);
}

function partOf(named: readonly (readonly [string, unknown])[]): UserPreferences {
  return userPreferences.omit({ updatedAt: true }).parse(Object.fromEntries(named));
}
