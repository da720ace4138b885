import { parseJson } from '@mlango/service-kit/parse-json';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';

const text = z.string().optional().catch(undefined);
const count = z.int().min(0);
const wholeCount = count.optional().catch(undefined);
const list = z.array(z.unknown()).optional().catch(undefined);

const toolCall = z.object({
  index: count.optional().catch(undefined),
  id: text,
  function: z.object({
    name: text,
    // Some servers send the arguments as an object instead of its text.
    arguments: z
      .union([z.string(), z.record(z.string(), z.unknown()).transform((args) => JSON.stringify(args))])
      .optional()
      .catch(undefined),
  }),
  extra_content: z.unknown().optional(),
});

const delta = z.object({
  content: z
    .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
    .optional()
    .catch(undefined),
  reasoning: text,
  reasoning_content: text,
  reasoning_details: list,
  thinking_blocks: list,
  tool_calls: z
    .array(z.unknown())
    .transform((calls) => calls.flatMap((call) => toolCall.safeParse(call).data ?? []))
    .optional()
    .catch(undefined),
});

const choice = z.object({
  delta: delta.optional().catch(undefined),
  finish_reason: z.string().min(1).optional().catch(undefined),
});

/** Both numbers or none: the SDK counts a missing one as zero. */
const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: wholeCount }).optional().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: wholeCount }).optional().catch(undefined),
});

const chunk = z.object({
  id: text,
  model: text,
  choices: list,
  usage: usage.optional().catch(undefined),
  error: z.unknown().optional(),
});

const done = '[DONE]';

/**
 * Reduces the events of a chat completion to the parts of an answer: the SDK refuses a whole answer for an unknown event or field.
 * Events without a choice and without usage are dropped, as is everything after the end of the stream.
 */
export function tolerantEvents(reply: Response): Response {
  const { body, status, statusText, headers } = reply;
  if (body === null || headers.get('content-type')?.includes('text/event-stream') !== true) return reply;
  let hasEnded = false;
  const events = new TransformStream<{ event?: string | undefined; data: string }, string>({
    transform({ event, data }, controller) {
      if (hasEnded) return;
      hasEnded = data.trim() === done;
      const read = hasEnded ? done : tolerantData(data, event !== undefined);
      if (read !== undefined) controller.enqueue(`data: ${read}\n\n`);
    },
  });
  const tolerant = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(events)
    .pipeThrough(new TextEncoderStream());
  return new Response(tolerant, { status, statusText, headers });
}

/** Undefined for an event that does not affect the answer. Invalid JSON is left for the SDK to report, unless its event has a name. */
function tolerantData(data: string, isNamed: boolean): string | undefined {
  const parsed = chunk.safeParse(parseJson(data));
  if (!parsed.success) return isNamed ? undefined : data;
  const { error, choices = [], ...rest } = parsed.data;
  if (error !== undefined && error !== null) return JSON.stringify({ error });
  const first = choice.safeParse(choices[0]).data;
  if (first === undefined && rest.usage === undefined) return undefined;
  return JSON.stringify({ ...rest, choices: first === undefined ? [] : [first] });
}
