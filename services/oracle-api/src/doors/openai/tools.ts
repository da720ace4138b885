import { jsonSchemaObject } from '@mlango/schemas/json-schema';
import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import type { StoredToolCall } from '../../store/conversation-store.js';

/** A function of the client that the model may call. */
export const functionDefinition = z.looseObject({
  name: z.string().min(1).max(sendLimits.toolNameChars),
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
});

export const toolChoice = z
  .enum(['auto', 'none'], 'must be auto or none: an oracle decides by itself what it calls')
  .nullish();

/** The client's functions as the turn is told of them. */
export function toolsOf(
  functions: readonly z.output<typeof functionDefinition>[],
  choice: z.output<typeof toolChoice>,
): SendMessageBody['tools'] {
  if (functions.length === 0 || choice === 'none') return undefined;
  return functions.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    schema: parameters ?? {},
  }));
}

/** The calls that the client is to make. */
export function handedCalls(calls: readonly StoredToolCall[] = []): readonly StoredToolCall[] {
  return calls.filter(({ status }) => status === 'handed');
}
