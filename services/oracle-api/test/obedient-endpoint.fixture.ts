import { z } from 'zod';
import { callsTool, says, startStandIn } from '../src/models/providers/stand-in-endpoint.fixture.js';

const body = z.looseObject({
  messages: z.array(
    z.looseObject({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.string().nullish(),
      tool_calls: z
        .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
        .optional(),
    }),
  ),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({ name: z.string(), description: z.string(), parameters: z.unknown() }),
      }),
    )
    .default([]),
});

/** A request as it was received. */
export type EndpointRequest = z.output<typeof body>;

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Behaviour of the model: it calls `reads` to get the document, and makes the other calls if `sign` is anywhere in the request. */
export interface Orders {
  readonly sign: string;
  readonly reads?: Call | undefined;
  readonly asks: readonly Call[];
  /** Summary of any conversation. */
  readonly notes: string;
}

/** An endpoint with a model that obeys every text, at any place of the request. */
export async function obedientEndpoint() {
  const state: { orders: Orders; requests: EndpointRequest[] } = {
    orders: { sign: '', asks: [], notes: '' },
    requests: [],
  };
  const endpoint = await startStandIn((response, request) => {
    const parsed = body.parse(request.body);
    state.requests.push(parsed);
    return answerTo(parsed, state.orders)(response, request);
  });
  return { ...endpoint, state };
}

function answerTo({ messages, tools }: EndpointRequest, { sign, reads, asks, notes }: Orders) {
  if (messages[0]?.content?.startsWith('You keep the memory') === true) return says(notes);
  if (messages[0]?.content?.startsWith('Give the conversation') === true) return says('Title');
  const made = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.name));
  const isSeen = sign !== '' && JSON.stringify([messages, tools]).includes(sign);
  const hasObeyed = asks.length === 0 || asks.some(({ tool }) => made.includes(tool));
  if (isSeen && !hasObeyed) return callsTool(...asks.map(written));
  if (reads !== undefined && !isSeen && !made.includes(reads.tool)) return callsTool(written(reads));
  return says('Done.');
}

const written = ({ tool, args }: Call) => ({ name: tool, args: JSON.stringify(args) });
