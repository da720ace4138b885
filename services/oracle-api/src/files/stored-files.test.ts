import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createTestOracle } from '../create-test-oracle.js';
import type { LanguageModel, ModelPart, ModelRequest } from '../models/language-model.js';
import { definePlugin } from '../plugins/api/define-plugin.js';
import { defineTool } from '../plugins/api/plugin-tool.js';
import { dataUrl, png, shapesOf } from './files-oracle.fixture.js';

const shape = ['image', 'image/png', png.toString('base64')];

/** A model that makes these calls, one a step, and then answers. */
function callingModel(...calls: readonly string[]) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    id: 'caller',
    label: 'Caller',
    seesImages: true,
    async *stream(request): AsyncIterable<ModelPart> {
      requests.push(request);
      const made = request.messages.filter(({ role }) => role === 'tool').length;
      const name = calls[made];
      if (name === undefined) yield { type: 'text', delta: 'Done.' };
      else yield { type: 'tool_call', call: { name, args: {} } };
    },
  };
  return { model, requests };
}

const studio = definePlugin({
  name: 'studio',
  version: '1.0.0',
  manifest: { title: 'Studio', summary: 'Takes pictures.', whenToUse: 'one is wanted.', visibility: 'always' },
  getTools: () => [
    defineTool({
      name: 'camera',
      description: 'Takes a picture.',
      effects: 'none',
      inputSchema: z.object({}),
      execute: async (_, context) => {
        const added = await context.addFile({ bytes: png, filename: 'goat.png' });
        return added.ok ? added.attachment.filename : added.reason;
      },
    }),
    defineTool({
      name: 'publish',
      description: 'Publishes it.',
      needsApproval: true,
      inputSchema: z.object({}),
      execute: () => 'published',
    }),
  ],
});

async function start(...calls: readonly string[]) {
  const { model, requests } = callingModel(...calls);
  const oracle = await createTestOracle({ model, plugins: [studio], env: { DOORS: 'openai' } });
  onTestFinished(() => oracle.close());
  const user = await oracle.newUser();
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    oracle.inject({ method, url, headers: user.headers, ...(payload && { payload }) });
  return { requests, ask };
}

describe('files in a database', () => {
  it('of a whole conversation that is stored reach the model now, and when it is continued', async () => {
    const { requests, ask } = await start();
    const image = { type: 'input_image', image_url: dataUrl(png, 'image/png') };
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'A goat' }, image] },
      { role: 'assistant', content: 'I see.' },
      { role: 'user', content: [image] },
    ];
    const first = await ask('POST', '/v1/responses', { input });
    expect(first.statusCode, first.body).toBe(200);
    const shown = (at: number) => shapesOf((requests[at]?.messages ?? []).flatMap(({ files = [] }) => files));
    expect(shown(0)).toEqual([shape, shape]);
    const { id, conversation } = first.json<{ id: string; conversation: { id: string } }>();
    await ask('POST', '/v1/responses', { input: 'And now?', previous_response_id: id });
    expect(shown(1)).toEqual([shape, shape]);
    const { messages } = (await ask('GET', `/messages/${conversation.id}`)).json<{
      messages: { content: string; attachments?: { attachmentId: string }[] }[];
    }>();
    expect(messages.map(({ content, attachments = [] }) => [content, attachments.length])).toEqual([
      ['A goat', 1],
      ['I see.', 0],
      ['Here is a file.', 1],
      ['Done.', 0],
      ['And now?', 0],
      ['Done.', 0],
    ]);
    // Deleted with the account.
    const deleted = (await ask('DELETE', '/account')).json<{ deleted: Record<string, number> }>();
    expect(deleted.deleted['attachments/uploads']).toBe(2);
  });

  it('of a tool are not part of a suspended turn, and the turn continues without them', async () => {
    const { requests, ask } = await start('camera', 'publish');
    const { sessionId } = (await ask('POST', '/sessions')).json<{ sessionId: string }>();
    await ask('POST', `/messages/${sessionId}`, { message: 'A picture of the goat' });
    expect(shapesOf(requests[1]?.messages.at(-1)?.files ?? [])).toEqual([shape]);
    const { run } = (await ask('GET', `/sessions/${sessionId}/run`)).json<{ run: { runId: string; status: string } }>();
    expect(run.status).toBe('waiting');
    const listed = async () =>
      (await ask('GET', `/messages/${sessionId}`)).json<{
        messages: { content: string; toolCalls?: { id: string; name: string; attachments?: object[] }[] }[];
      }>().messages;
    const [, answer] = await listed();
    const [camera, publish] = answer?.toolCalls ?? [];
    expect(camera?.attachments).toMatchObject([{ filename: 'goat.png', mimetype: 'image/png' }]);
    await ask('POST', `/runs/${run.runId}/approvals/${publish?.id}`, { decision: 'allow' });
    await expect.poll(async () => (await listed())[1]?.content).toContain('Done.');
    const results = requests[2]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map(({ content, files }) => [content, files])).toEqual([
      ['"goat.png"', undefined],
      ['"published"', undefined],
    ]);
  });
});
