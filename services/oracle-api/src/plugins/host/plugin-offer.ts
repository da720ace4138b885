import type { ModelTool } from '../../models/language-model.js';
import type { PluginResource } from '../api/plugin-resource.js';
import type { ActivePlugin } from './boot-plugins.js';

export interface OfferedTool extends Pick<ModelTool, 'name' | 'description' | 'schema'> {
  /** Whose it is. */
  readonly plugin: string;
  /** It changes nothing, whatever its arguments. */
  readonly isHarmless: boolean;
}

/** What a plugin has for programs of its users. */
export interface PluginOffer {
  readonly tools: readonly OfferedTool[];
  readonly resources: readonly PluginResource[];
}

export function offerOf({ name: plugin, tools, resources }: ActivePlugin): PluginOffer {
  const offered = tools.filter(({ tool }) => tool.isOffered === true);
  return {
    tools: offered.map(({ tool: { effects }, told: { name, description, schema } }) => {
      return { plugin, name, description, schema, isHarmless: effects === 'none' };
    }),
    resources,
  };
}
