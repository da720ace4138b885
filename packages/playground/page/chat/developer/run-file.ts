import type { IRunRecord } from '@mlango/oracle-client';
import { z } from 'zod';

/** A run in a file for sharing. */
export interface RunFile {
  readonly kind: 'mlango-run';
  readonly version: 1;
  readonly oracleDid: string;
  readonly record: IRunRecord;
}

const mebibyte = 1024 * 1024;
/** Runs have at most some thousand events; larger files are not read. */
export const limitBytes = 8 * mebibyte;

// The content security policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const count = z.int().min(0);
const text = z.string();

const component = z.object({
  kind: z.enum(['tool_call', 'action_call', 'render_component', 'error']),
  name: text,
  id: text,
  sessionId: text,
  args: z.record(z.string(), z.unknown()),
  status: z.enum(['isRunning', 'done', 'error']).exactOptional(),
  output: text.exactOptional(),
  error: text.exactOptional(),
});

const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('run'),
    runId: text.exactOptional(),
    requestId: text.exactOptional(),
    partialLength: count.exactOptional(),
  }),
  z.object({ kind: z.literal('text'), text }),
  z.object({ kind: z.literal('reasoning'), text, isComplete: z.boolean() }),
  z.object({ kind: z.literal('component'), component, at: count.optional().transform((at) => at) }),
  z.object({
    kind: z.literal('failure'),
    failure: z.object({ detail: text, kind: text, isRetryable: z.boolean() }),
    component,
  }),
  z.object({
    kind: z.literal('done'),
    status: text,
    partialText: text.exactOptional(),
    isCut: z.boolean().exactOptional(),
    model: text.exactOptional(),
    usage: z
      .object({ inputTokens: count, outputTokens: count, isEstimated: z.boolean(), credits: count.exactOptional() })
      .exactOptional(),
  }),
  z.object({ kind: z.literal('restart') }),
]);

const moment = z.object({ atMs: z.number().min(0), frames: count, event });

const runFile: z.ZodType<RunFile> = z.object({
  kind: z.literal('mlango-run'),
  version: z.literal(1),
  oracleDid: text.max(500),
  record: z.object({
    requestId: text.max(500),
    startedAt: z.iso.datetime(),
    message: text.exactOptional(),
    moments: z.array(moment).max(10_000),
  }),
});

/** The text of a file with a run in it. */
export function writeRunFile(oracleDid: string, record: IRunRecord): string {
  return JSON.stringify({ kind: 'mlango-run', version: 1, oracleDid, record } satisfies RunFile, null, 1);
}

/** The run in a file, or an error message. */
export async function readRunFile(file: Blob): Promise<RunFile | { readonly problem: string }> {
  if (file.size > limitBytes)
    return { problem: `This file is larger than ${limitBytes / mebibyte} MB and cannot be opened.` };
  const read = runFile.safeParse(jsonOf(await file.text()));
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  return { problem: `This file is not a recorded run${place === '' ? '' : `: see ${place}`}.` };
}

function jsonOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
