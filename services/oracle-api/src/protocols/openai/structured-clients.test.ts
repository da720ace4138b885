import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, tool as agentTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateObject, generateText, Output, stepCountIs, streamObject, streamText, tool } from 'ai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { userOfService } from './openai-client.fixture.js';

const { asha: client } = await userOfService();
const place = { baseURL: client.baseURL, apiKey: String(client.apiKey) };

/** The client sends the same part twice as a reference. */
const town = z.object({ name: z.string() });
const schema = z.object({ city: z.string(), rain: z.boolean(), from: town, to: town });
const message = '{"city":"Nairobi","rain":true}';
const found = { city: 'Nairobi', rain: true, from: { name: expect.any(String) }, to: { name: expect.any(String) } };
const by = z.object({ by: z.number() });
const callZoom = 'use the tool zoom with {"by": 2}';

describe('the openai client parses objects', () => {
  const messages = [{ role: 'user' as const, content: message }];

  it('of chat completions, whole and streamed', async () => {
    const body = { model: 'local', messages, response_format: zodResponseFormat(schema, 'weather') };
    expect((await client.chat.completions.parse(body)).choices[0]?.message.parsed).toEqual(found);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(found);
  });

  it('of responses, whole and streamed', async () => {
    const body = { model: 'local', input: message, text: { format: zodTextFormat(schema, 'weather') } };
    expect((await client.responses.parse(body)).output_parsed).toEqual(found);
    expect((await client.responses.stream(body).finalResponse()).output_parsed).toEqual(found);
  });
});

describe.each([true, false])('the Agents SDK with an output type, responses: %s', (useResponses) => {
  it.each([true, false])('returns an object after a call of its tool, streamed: %s', async (stream) => {
    const zoom = agentTool({ name: 'zoom', description: 'Zooms', parameters: by, execute: async () => message });
    const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', tools: [zoom], outputType: schema });
    const modelProvider = new OpenAIProvider({ ...place, useResponses });
    const runner = new Runner({ modelProvider, model: 'local', tracingDisabled: true });
    const ask = async (input: string) => {
      if (!stream) return (await runner.run(agent, input)).finalOutput;
      const result = await runner.run(agent, input, { stream: true });
      await result.completed;
      return result.finalOutput;
    };
    expect(await ask(message)).toEqual(found);
    expect(await ask(callZoom)).toMatchObject({ rain: expect.any(Boolean) });
  });

  it('calls its tool if a call is required', async () => {
    const called: number[] = [];
    const execute = async ({ by: times }: z.output<typeof by>) => String(called.push(times));
    const zoom = agentTool({ name: 'zoom', description: 'Zooms', parameters: by, execute });
    const modelSettings = { toolChoice: 'zoom', parallelToolCalls: false };
    const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', tools: [zoom], modelSettings });
    const modelProvider = new OpenAIProvider({ ...place, useResponses });
    const runner = new Runner({ modelProvider, model: 'local', tracingDisabled: true });
    expect((await runner.run(agent, 'by: 3')).finalOutput).toBeTruthy();
    expect(called).toEqual([3]);
  });
});

describe.each(['chat', 'responses'] as const)('the AI SDK by %s', (api) => {
  const model = () => createOpenAI(place)[api]('local');
  const tools = { zoom: tool({ description: 'Zooms', inputSchema: by, execute: async () => message }) };

  it('generates and streams objects', async () => {
    expect((await generateObject({ model: model(), schema, prompt: message })).object).toEqual(found);
    const streamed = streamObject({ model: model(), schema, prompt: message });
    let last: unknown;
    for await (const partial of streamed.partialObjectStream) last = partial;
    expect(last).toEqual(found);
    expect((await generateObject({ model: model(), output: 'no-schema', prompt: message })).object).toEqual(
      expect.any(Object),
    );
  });

  it('returns an object after a call of its tool', async () => {
    const output = Output.object({ schema });
    const options = { model: model(), tools, prompt: callZoom, stopWhen: stepCountIs(3), output };
    expect((await generateText(options)).output).toMatchObject({ rain: expect.any(Boolean) });
    expect(await streamText(options).output).toMatchObject({ rain: expect.any(Boolean) });
  });

  it.each([['required' as const], [{ type: 'tool' as const, toolName: 'zoom' as const }]])(
    'calls its tool with the choice %j',
    async (toolChoice) => {
      const { toolCalls } = await generateText({ model: model(), tools, toolChoice, prompt: 'by: 3' });
      expect(toolCalls).toMatchObject([{ toolName: 'zoom', input: { by: 3 } }]);
    },
  );
});

describe.each([true, false])('LangChain with structured output, responses: %s', (useResponsesApi) => {
  it.each(['jsonSchema', 'functionCalling'] as const)('returns an object by %s', async (method) => {
    const { baseURL, apiKey } = place;
    const chat = new ChatOpenAI({ model: 'local', apiKey, useResponsesApi, configuration: { baseURL }, maxRetries: 0 });
    const structured = chat.withStructuredOutput(schema, { name: 'weather', method });
    expect(await structured.invoke(message)).toEqual(found);
    expect(await chat.withStructuredOutput(schema, { name: 'weather', method, strict: true }).invoke(message)).toEqual(
      found,
    );
  });
});
