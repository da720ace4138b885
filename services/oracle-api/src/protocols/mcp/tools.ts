import { sendLimits } from '@mlango/schemas/oracle-send';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { OfferedTool } from '../../plugins/host/plugin-offer.js';
import { storableWords } from '../storable-words.js';

/** The tool that is the oracle itself. No plugin's is called so here. */
export const askName = 'ask';

export const askArgs = z.object({
  message: z
    .string()
    .overwrite(storableWords)
    .min(1)
    .max(sendLimits.messageChars)
    .describe('what to say to the oracle'),
  session: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('the conversation to go on with, as an earlier result names it; without it one begins'),
  model: z.string().max(sendLimits.modelChars).optional().describe('one of those that the oracle has'),
});

/** What a program can call: the oracle, and what its plugins offer. */
export function listTools(oracleName: string, offered: readonly OfferedTool[]): Tool[] {
  const ask = {
    name: askName,
    title: `Ask ${oracleName}`,
    description: `Says something to the agent ${oracleName} and gives its answer. It may call tools of its own, and keeps the conversation.`,
    inputSchema: z.toJSONSchema(askArgs, { io: 'input' }) as Tool['inputSchema'],
  };
  return [
    ask,
    ...offered
      .filter(({ name }) => name !== askName)
      .map(({ name, description, schema, isHarmless }) => ({
        name,
        description,
        inputSchema: schema as Tool['inputSchema'],
        annotations: { readOnlyHint: isHarmless },
      })),
  ];
}
