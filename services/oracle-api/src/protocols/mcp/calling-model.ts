import type { LanguageModel, ModelPart } from '../../models/language-model.js';
import type { OfferedTool } from '../../plugins/host/plugin-offer.js';

/**
 * Stands in the place of a model where a program has said which tool to call and with what: so the call is one of a turn, and is asked
 * for, limited, recorded and paid like any other. It takes no tokens.
 */
export function callingModel(
  tool: Pick<OfferedTool, 'plugin' | 'name'>,
  args: Readonly<Record<string, unknown>>,
): LanguageModel {
  const toDo = [
    // The tools of a plugin may be there only once they were asked for.
    {
      name: 'load_capability',
      args: { name: tool.plugin },
      isNeeded: (names: readonly string[]) => !names.includes(tool.name),
    },
    { name: tool.name, args, isNeeded: () => true },
  ];
  return {
    id: 'called-by-a-program',
    label: 'A call by a program',
    async *stream({ tools = [] }): AsyncIterable<ModelPart> {
      const names = tools.map(({ name }) => name);
      let next = toDo.shift();
      while (next !== undefined && !next.isNeeded(names)) next = toDo.shift();
      if (next === undefined) yield { type: 'text', delta: 'Called.' };
      else yield { type: 'tool_call', call: { name: next.name, args: next.args } };
      yield { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}
