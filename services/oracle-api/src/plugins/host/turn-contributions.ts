import type { FilesFrom } from '../../files/file-intake.js';
import type { ModelFile } from '../../models/language-model.js';
import type { StoredAttachment } from '../../store/sessions.js';
import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { PluginTool } from '../api/plugin-tool.js';
import type { PluginView } from './plugin-context.js';
import { callTurnHook, type TurnHooks } from './plugin-isolation.js';
import { ownToolNames } from './plugin-start.js';
import { returnedFiles, returnedTools } from './returned-values.js';
import { type PreparedTool, prepareTool } from './tools/prepare-tool.js';

interface RequestTool {
  readonly plugin: OraclePlugin;
  readonly tool: PluginTool;
}

/**
 * Tools of this turn only, untrusted tools last. Plugins are called in parallel; a tool with a used name is skipped.
 */
export async function requestToolsOf(seen: readonly PluginView[], hooks: TurnHooks): Promise<PreparedTool[]> {
  const brought = await Promise.all(seen.map((one) => toolsOf(one, hooks)));
  const taken = new Set(ownToolNames);
  for (const { active } of seen) for (const { tool } of active.tools) taken.add(tool.name);
  return untrustedToolsLast(brought.flat()).flatMap(({ plugin, tool }) => {
    try {
      if (taken.has(tool.name)) {
        if (tool.isForeign === true) return [];
        throw new PluginError(`a tool "${tool.name}" exists already`);
      }
      const prepared = prepareTool(plugin, tool);
      taken.add(tool.name);
      return [prepared];
    } catch (error) {
      hooks.report(plugin.name, 'getRequestTools', error);
      return [];
    }
  });
}

/** Keeps the order, with untrusted tools after all others. */
export function untrustedToolsLast<Tool extends { readonly tool: PluginTool }>(tools: readonly Tool[]): Tool[] {
  const rank = ({ tool }: Tool) => (tool.isForeign === true ? 1 : 0);
  return tools.toSorted((one, other) => rank(one) - rank(other));
}

async function toolsOf({ active: { name, plugin }, context }: PluginView, hooks: TurnHooks): Promise<RequestTool[]> {
  if (plugin.getRequestTools === undefined) return [];
  return callTurnHook(hooks, name, 'getRequestTools', [], async () =>
    returnedTools('getRequestTools', await plugin.getRequestTools?.(context)).map((tool) => ({
      plugin,
      tool: { ...tool },
    })),
  );
}

/** Files of the message as plugins read them; plugins are called in parallel. */
export async function messageFiles(seen: readonly PluginView[], hooks: TurnHooks): Promise<ModelFile[]> {
  const read = await Promise.all(
    seen
      .filter(({ active }) => active.plugin.getFiles !== undefined)
      .map(({ active: { name, plugin }, context }) =>
        callTurnHook(hooks, name, 'getFiles', [], async () => returnedFiles(await plugin.getFiles?.(context))),
      ),
  );
  return read.flat();
}

/** Earlier files of the conversation in their order; only their names if no plugin reads them. */
export async function otherFiles(
  seen: readonly PluginView[],
  hooks: TurnHooks,
  attachments: readonly StoredAttachment[],
  from: FilesFrom,
): Promise<readonly ModelFile[]> {
  if (attachments.length === 0) return [];
  const reader = seen.find(({ active }) => active.plugin.readFiles !== undefined);
  const read = reader && {
    name: reader.active.name,
    files: async () =>
      returnedFiles(await reader.active.plugin.readFiles?.(reader.context, attachments, from), 'readFiles'),
  };
  const files = read === undefined ? [] : await callTurnHook(hooks, read.name, 'readFiles', [], read.files);
  return attachments.map(
    ({ filename, mimetype }, place): ModelFile => files[place] ?? { kind: 'named', filename, mediaType: mimetype },
  );
}
