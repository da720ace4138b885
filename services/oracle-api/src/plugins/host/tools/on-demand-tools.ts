import { z } from 'zod';
import type { StoredToolCall } from '../../../store/sessions.js';
import type { PluginManifest } from '../../api/plugin.js';
import { defineTool, type PluginTool, ToolError } from '../../api/plugin-tool.js';

/** A plugin with tools that the model requests. */
export interface Capability {
  readonly name: string;
  readonly manifest: PluginManifest;
  readonly tools: readonly { readonly name: string }[];
}

const loadName = 'load_capability';

/** Created once: a schema is expensive, and each turn has these tools. */
const nothing = z.object({});
const loadInput = z.object({ name: z.string().describe('name from list_capabilities') });

/** Capabilities that earlier answers of the session have loaded: they stay loaded. */
export function loadedBefore(calls: readonly StoredToolCall[]): Set<string> {
  const names = calls
    .filter(({ name, status }) => name === loadName && status === 'done')
    .map(({ args }) => args['name']);
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** Tools for the model to list and load capabilities on demand; empty without such capabilities. Adds to `loaded`. */
export function capabilityTools(capabilities: readonly Capability[], loaded: Set<string>): PluginTool[] {
  if (capabilities.length === 0) return [];
  return [
    defineTool({
      name: 'list_capabilities',
      description: 'Lists what else you can do, beyond the tools that you see: names, and when to use them.',
      effects: 'none',
      output: 'own',
      inputSchema: nothing,
      execute: () =>
        capabilities.map(({ name, manifest: { title, summary, whenToUse } }) => ({
          name,
          title,
          summary,
          whenToUse,
          isLoaded: loaded.has(name),
        })),
    }),
    defineTool({
      name: loadName,
      description: 'Gives you the tools of a capability, by its name, from now on in this conversation.',
      effects: 'none',
      output: 'own',
      inputSchema: loadInput,
      execute: ({ name }) => {
        const found = capabilities.find((capability) => capability.name === name);
        if (found === undefined) throw new ToolError(`There is no capability called ${name}.`);
        loaded.add(name);
        return { loaded: name, tools: found.tools.map((tool) => tool.name) };
      },
    }),
  ];
}
