import { z } from 'zod';
import { type BodyFields, withFields } from '../model-fields.js';
import { errorInBody } from './endpoint-error.js';

type Fetch = typeof globalThis.fetch;

/** Google names the model in the path instead. */
const requestBody = z.looseObject({ model: z.string().optional() });

/** An alternative form of a request, for models that refuse the usual one. */
interface Adaptation {
  /** Whether a refusal requires this form. Some endpoints have no code for it, and some proxies drop the code. */
  isRequiredBy(refusal: string): boolean;
  /** Undefined for a request that the form does not change. */
  apply(body: BodyFields): BodyFields | undefined;
}

/** Current models of OpenAI refuse `max_tokens` and require `max_completion_tokens`, which older servers ignore. */
const currentLimitName: Adaptation = {
  isRequiredBy: (refusal) => {
    const { code, param, message = '' } = errorInBody(refusal) ?? {};
    if (code === 'unsupported_parameter' && param === 'max_tokens') return true;
    return /\bmax_tokens\b/.test(message) && message.includes('max_completion_tokens');
  },
  apply: ({ max_tokens: limit, ...body }) =>
    limit === undefined ? undefined : { ...body, max_completion_tokens: limit },
};

const messageList = z.array(z.looseObject({ role: z.string() }));

/** DeepSeek V4 requires the field `reasoning_content` in answers of earlier turns that called tools, and accepts an empty text. */
const reasoningInHistory: Adaptation = {
  isRequiredBy: (refusal) => /reasoning_content\b.{0,80}\bpassed back\b/.test(errorInBody(refusal)?.message ?? ''),
  apply: (body) => {
    const messages = messageList.safeParse(body['messages']).data ?? [];
    const isChanged = messages.some(lacksReasoning);
    const changed = messages.map((message) =>
      lacksReasoning(message) ? { ...message, reasoning_content: '' } : message,
    );
    return isChanged ? { ...body, messages: changed } : undefined;
  },
};

function lacksReasoning(message: z.output<typeof messageList>[number]): boolean {
  return message.role === 'assistant' && message['reasoning_content'] === undefined;
}

const adaptations = [currentLimitName, reasoningInHistory];

/**
 * Retries a request in another form if its form was refused, and then uses the accepted form for that model. Only an accepted request
 * counts, because the text of a refusal may repeat user input.
 *
 * @param fields added to each request, in addition to the service's own
 */
export function adaptRequests(fetch: Fetch, fields: BodyFields): Fetch {
  const accepted = new Map<string, readonly Adaptation[]>();
  return async (input, init) => {
    const request = requestBody.safeParse(parsed(init?.body));
    if (!request.success) return fetch(input, init);
    const { model = '' } = request.data;
    let applied = accepted.get(model) ?? [];
    let body = applied.reduce<BodyFields>(
      (current, form) => form.apply(current) ?? current,
      withFields(request.data, fields),
    );
    for (;;) {
      const reply = await fetch(input, { ...init, body: JSON.stringify(body) });
      if (reply.ok && applied.length > 0) accepted.set(model, applied);
      if (reply.status !== 400 && reply.status !== 422) return reply;
      const refusal = await reply.text();
      const form = adaptations.find((each) => !applied.includes(each) && each.isRequiredBy(refusal));
      const adapted = form?.apply(body);
      if (form === undefined || adapted === undefined) return new Response(refusal, reply);
      applied = [...applied, form];
      body = adapted;
    }
  };
}

function parsed(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}
