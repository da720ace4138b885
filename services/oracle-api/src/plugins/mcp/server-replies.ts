import { z } from 'zod';

/**
 * Parses only the used parts of servers' replies: the SDK's schemas would reject a whole list for one tool, and a result of a
 * completed call for a detail.
 */

const remoteTool = z.looseObject({
  name: z.string().min(1).max(200),
  description: z.string().nullish().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).nullish(),
  annotations: z.looseObject({ readOnlyHint: z.boolean().nullish() }).nullish().catch(undefined),
});

export interface RemoteTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
}

export const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** A tool that a server lists; undefined for an unreadable one. */
export function readTool(listed: unknown): RemoteTool | undefined {
  const read = remoteTool.safeParse(listed);
  if (!read.success) return undefined;
  const { name, description, inputSchema, annotations } = read.data;
  return {
    name,
    description: description ?? undefined,
    inputSchema: { type: 'object', ...inputSchema },
    isReadOnly: annotations?.readOnlyHint === true,
  };
}

const part = z.looseObject({
  type: z.string(),
  text: z.string().nullish().catch(undefined),
  name: z.string().nullish().catch(undefined),
  uri: z.string().nullish().catch(undefined),
  mimeType: z.string().nullish().catch(undefined),
  /** Images and sound: base64. */
  data: z.string().nullish().catch(undefined),
  resource: z
    .looseObject({
      text: z.string().nullish().catch(undefined),
      mimeType: z.string().nullish().catch(undefined),
      uri: z.string().nullish().catch(undefined),
      blob: z.string().nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
export type ResultPart = z.output<typeof part>;

export const callResult = z.looseObject({
  content: z.array(part).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish().catch(undefined),
});
export type CallResult = z.output<typeof callResult>;
