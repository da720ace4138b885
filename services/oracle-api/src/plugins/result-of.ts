import type { ToolAnswer } from '../runtime/runtime-context.js';
import { ToolError } from './plugin-tool.js';

/** What a call gave back. @throws ToolError with the words in which it failed. */
export function resultOf(answer: ToolAnswer): unknown {
  if (!answer.ok) throw new ToolError(answer.error);
  return answer.result;
}
