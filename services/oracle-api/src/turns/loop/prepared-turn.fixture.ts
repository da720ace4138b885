import type { LanguageModel } from '../../models/language-model.js';
import type { PreparedTurn } from '../lifecycle/turn.js';
import type { TurnTool } from './turn-tool.js';

/** A turn whose user said "hi". */
export function preparedTurn(model: LanguageModel, tools: readonly TurnTool[] = []): PreparedTurn {
  return { model, messages: [{ role: 'user', content: 'hi' }], tools: () => tools, close: () => undefined };
}
