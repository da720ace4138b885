import { z } from 'zod';
import { toldIn } from './error-object.js';

type Fetch = typeof globalThis.fetch;

const limitedBody = z.looseObject({ model: z.string(), max_tokens: z.number() });

/**
 * Names the longest answer as each model wants it. Models of today refuse `max_tokens` and want `max_completion_tokens`, which
 * older servers pass over: so a request is made again by that name once it was refused for the other, and a model that took it is
 * asked so at once from then on. That it took it counts, not what the refusal says: that may repeat what a user wrote.
 */
export function answerLimit(fetch: Fetch): Fetch {
  const current = new Set<string>();
  return async (input, init) => {
    const asked = limitedBody.safeParse(parsed(init?.body));
    if (!asked.success) return fetch(input, init);
    const { model } = asked.data;
    const renamed = { ...init, body: withCurrentName(asked.data) };
    if (current.has(model)) return fetch(input, renamed);
    const reply = await fetch(input, init);
    if (reply.status !== 400 && reply.status !== 422) return reply;
    const said = await reply.text();
    if (!wantsCurrentName(said)) return new Response(said, reply);
    const second = await fetch(input, renamed);
    if (second.ok) current.add(model);
    return second;
  };
}

/** Not every endpoint has a code for it, and not every proxy passes it on. */
function wantsCurrentName(said: string): boolean {
  const { code, param, message = '' } = toldIn(said) ?? {};
  if (code === 'unsupported_parameter' && param === 'max_tokens') return true;
  return /\bmax_tokens\b/.test(message) && message.includes('max_completion_tokens');
}

function withCurrentName({ max_tokens, ...body }: z.output<typeof limitedBody>): string {
  return JSON.stringify({ ...body, max_completion_tokens: max_tokens });
}

function parsed(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}
