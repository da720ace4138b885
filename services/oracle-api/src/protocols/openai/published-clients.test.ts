import { createOpenAI } from '@ai-sdk/openai';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, tool as agentTool, handoff, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openAiService } from './openai-client.fixture.js';

let service: Awaited<ReturnType<typeof openAiService>>;
let place: { readonly baseURL: string; readonly apiKey: string };
beforeAll(async () => {
  service = await openAiService();
  const { baseURL, apiKey } = await service.clientOf('a');
  place = { baseURL, apiKey: String(apiKey) };
});
afterAll(() => service.close());

const by = z.object({ by: z.number() });
const zoomed = ({ by: factor }: z.output<typeof by>) => `zoomed ${factor} times`;
const callZoom = 'use the tool zoom with {"by": 2}';

describe.each([true, false])('the Agents SDK, streamed: %s', (stream) => {
  const runner = () =>
    new Runner({
      modelProvider: new OpenAIProvider({ ...place, useResponses: true }),
      model: 'local',
      tracingDisabled: true,
    });
  const ask = async (agent: Agent, input: Parameters<Runner['run']>[1]) => {
    if (!stream) return runner().run(agent, input);
    const result = await runner().run(agent, input, { stream: true });
    await result.completed;
    return result;
  };
  const zoom = agentTool({
    name: 'zoom',
    description: 'Zooms the page',
    parameters: by,
    execute: async (a) => zoomed(a),
  });

  it('calls its tools, and reads its history', async () => {
    const agent = new Agent({ name: 'Helper', instructions: 'Be brief.', tools: [zoom] });
    const first = await ask(agent, 'My name is Asha.');
    const second = await ask(agent, [...first.history, { role: 'user', content: callZoom }]);
    expect(second.finalOutput).toContain('zoomed 2 times');
    const third = await ask(agent, [...second.history, { role: 'user', content: 'What is my name?' }]);
    expect(third.finalOutput).toContain('Asha');
  });

  it('hands off to another agent', async () => {
    const billing = new Agent({ name: 'Billing', instructions: 'You answer about bills.' });
    const front = new Agent({ name: 'Front', handoffs: [handoff(billing)] });
    const result = await ask(front, 'use the tool transfer_to_Billing with {}');
    expect(result.lastAgent?.name).toBe('Billing');
    expect(result.finalOutput).toBeTruthy();
  });
});

describe.each([true, false])('the AI SDK with store: %s', (store) => {
  const model = () => createOpenAI(place).responses('local');
  const options = { providerOptions: { openai: { store } } };
  const tools = { zoom: tool({ description: 'Zooms the page', inputSchema: by, execute: async (a) => zoomed(a) }) };

  it('calls its tools, and reads its history', async () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'My name is Asha.' }];
    const first = await generateText({ model: model(), messages, ...options });
    messages.push(...first.response.messages, { role: 'user', content: callZoom });
    const second = await generateText({ model: model(), messages, tools, stopWhen: stepCountIs(3), ...options });
    expect(second.text).toContain('zoomed 2 times');
    messages.push(...second.response.messages, { role: 'user', content: 'What is my name?' });
    const third = streamText({ model: model(), messages, tools, ...options });
    expect(await third.text).toContain('Asha');
    expect(await third.finishReason).toBe('stop');
  });
});

describe.each([true, false])('LangChain by responses, streamed: %s', (streaming) => {
  it('calls its tools, and reads its history', async () => {
    const { baseURL, apiKey } = place;
    const chat = new ChatOpenAI({
      model: 'local',
      useResponsesApi: true,
      apiKey,
      streaming,
      configuration: { baseURL },
    });
    const withTools = chat.bindTools([{ name: 'zoom', description: 'Zooms the page', schema: by }]);
    const messages: BaseMessage[] = [new HumanMessage('My name is Asha.'), new AIMessage('Hello Asha.')];
    messages.push(new HumanMessage(callZoom));
    const called = await withTools.invoke(messages);
    const [call] = called.tool_calls ?? [];
    expect(call).toMatchObject({ name: 'zoom', args: { by: 2 } });
    messages.push(called, new ToolMessage({ content: zoomed({ by: 2 }), tool_call_id: call?.id ?? '' }));
    const answered = await withTools.invoke(messages);
    expect(answered.text).toContain('zoomed 2 times');
    messages.push(answered, new HumanMessage('What is my name?'));
    expect((await withTools.invoke(messages)).text).toContain('Asha');
  });
});
