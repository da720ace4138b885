import { afterEach, expect, it } from 'vitest';
import { createTestOracle } from '../src/create-test-oracle.js';
import { type Reply, refusesWith, startStandIn } from '../src/models/providers/stand-in-endpoint.fixture.js';
import { type NamedProvider, namedProviders, providerKey } from './named-providers.fixture.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const { bedrock: _binary, ...textProviders } = namedProviders;
type Provider = Pick<NamedProvider, 'calls' | 'answers'>;

const fits = '{"rain":true}';
const responseSchema = { type: 'object', properties: { rain: { type: 'boolean' } }, required: ['rain'] };
const inText = (json: string) => JSON.stringify(json).slice(1, -1);

/** The answers of a provider's fixture, with the object as text, or as the arguments of a call of a tool. */
const sendsObject = ({ answers }: Provider) => sends(String(answers).replace('I will remember that.', inText(fits)));
const callsWith = ({ calls }: Provider, tool: string) =>
  sends(
    String(calls)
      .replaceAll('"remember"', `"${tool}"`)
      .replaceAll(inText('{"content":"it rains"}'), inText(fits))
      .replaceAll('{"content":"it rains"}', fits),
  );

function sends(text: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  };
}

/** Sends one message with a response schema to an oracle with this provider, and returns the answer and its requests. */
async function complete(name: string, model: string, ...replies: Reply[]) {
  const endpoint = await startStandIn(...replies);
  closers.push(endpoint.close);
  const env = { LLM_PROVIDER: name, LLM_BASE_URL: endpoint.baseUrl, LLM_API_KEY: providerKey, LLM_MODEL: model };
  const oracle = await createTestOracle({ env });
  closers.push(() => oracle.close());
  const user = await oracle.newUser();
  const url = `/messages/${await user.openSession()}`;
  const payload = { message: 'Does it rain?', responseSchema };
  const reply = await oracle.inject({ method: 'POST', url, headers: user.headers, payload });
  return { content: reply.json().message?.content, requests: endpoint.requests.map(({ body }) => body) };
}

/** The field in which a provider documents structured output. */
const fields: Record<keyof typeof textProviders, object> = {
  openai: { text: { format: { type: 'json_schema', strict: false } } },
  azure: { text: { format: { type: 'json_schema', strict: false } } },
  anthropic: { output_config: { format: { type: 'json_schema' } } },
  google: { generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'object' } } },
  mistral: { response_format: { type: 'json_schema' } },
  deepseek: { response_format: { type: 'json_object' } },
  openrouter: { response_format: { type: 'json_schema' } },
};

const refusals: Partial<Record<keyof typeof textProviders, object>> = {
  openai: { message: "Invalid parameter: 'text.format' of type 'json_schema' is not supported", param: 'text.format' },
  azure: { message: 'response_format value as json_schema is enabled only for newer versions', code: 'BadRequest' },
  google: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: "Function calling with a response mime type: 'application/json' is unsupported",
  },
  mistral: { message: 'Cannot set response_format with tools' },
  openrouter: { message: 'No endpoints found that support response_format', code: 400 },
};

type Name = keyof typeof textProviders;

it.each(Object.keys(textProviders) as Name[])('an object is requested in the field of %s', async (name) => {
  const provider = textProviders[name];
  const { content, requests } = await complete(name, provider.model, sendsObject(provider));
  expect(content).toBe(fits);
  expect(requests[0]).toMatchObject(fields[name]);
});

it.each(Object.keys(refusals) as Name[])(
  'an object is returned by a call if a model of %s refuses the field',
  async (name) => {
    const provider = textProviders[name];
    const refuses = refusesWith(400, { error: refusals[name] });
    const { content, requests } = await complete(
      name,
      provider.model,
      refuses,
      callsWith(provider, 'structured_answer'),
    );
    expect(content).toBe(fits);
    expect(JSON.stringify(requests[1])).toContain('structured_answer');
    expect(requests[1]).not.toMatchObject(fields[name]);
  },
);
