import { ToolError } from './plugin-tool.js';
import type { ToolAnswer } from './runtime-context.js';

/** What a call gave back. @throws ToolError with the words in which it failed. */
export function resultOf(answer: ToolAnswer): unknown {
  if (!answer.ok) throw new ToolError(answer.error);
  return answer.result;
}
