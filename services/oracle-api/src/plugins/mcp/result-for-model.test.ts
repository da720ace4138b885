import { describe, expect, it } from 'vitest';
import { ToolError } from '../api/plugin-tool.js';
import { resultForModel as forModel } from './result-for-model.js';
import { type CallResult, callResult } from './server-replies.js';

const noFiles = async () => ({ ok: false, reason: 'this oracle accepts no files' }) as const;
const resultForModel = (result: CallResult, addFile: Parameters<typeof forModel>[1] = noFiles) =>
  forModel(result, addFile);

const text = (words: string): CallResult => ({ content: [{ type: 'text', text: words }] });

describe("the result of a server's tool, for the model", () => {
  it('is its data if it has any, else its text', async () => {
    expect(await resultForModel({ ...text('{"sum":5}'), structuredContent: { sum: 5 } })).toEqual({ sum: 5 });
    expect(await resultForModel({ content: [...(text('a').content ?? []), ...(text('b').content ?? [])] })).toBe(
      'a\nb',
    );
    expect(await resultForModel({ content: [] })).toBe('');
  });

  it('has the text and the data if the text has more', async () => {
    expect(await resultForModel({ ...text('{ "b": 1, "a": 2 }'), structuredContent: { a: 2, b: 1 } })).toEqual({
      a: 2,
      b: 1,
    });
    expect(await resultForModel({ ...text('It is closed on Monday.'), structuredContent: { open: true } })).toEqual({
      text: 'It is closed on Monday.',
      data: { open: true },
    });
  });

  const content: NonNullable<CallResult['content']> = [
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'resource_link', name: 'notes', uri: 'file:///notes.txt' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'in full' } },
    { type: 'resource', resource: { uri: 'file:///b.pdf', blob: 'aG8=', mimeType: 'application/pdf' } },
  ];

  it('names its images and files, which become attachments', async () => {
    const added: unknown[] = [];
    const addFile: Parameters<typeof forModel>[1] = async ({ bytes, filename = 'file.png', mediaType = '' }) => {
      added.push([bytes.toString(), mediaType]);
      return { ok: true, attachment: { attachmentId: 'a', filename, mimetype: mediaType } };
    };
    expect(await resultForModel({ content }, addFile)).toBe(
      '[image/png: file.png]\n[notes: file:///notes.txt]\nin full\n[application/pdf: b.pdf]',
    );
    expect(added).toEqual([
      ['hi', 'image/png'],
      ['ho', 'application/pdf'],
    ]);
  });

  it('includes the reason if a file is not shown', async () => {
    const none = 'this oracle accepts no files';
    expect(await resultForModel({ content })).toBe(
      `[image/png that is not shown: ${none}]\n[notes: file:///notes.txt]\nin full\n[application/pdf that is not shown: ${none}]`,
    );
  });

  it('is read although a detail violates the specification', async () => {
    const content = [{ type: 'hologram' }, { type: 'text', text: 'seen', annotations: 7 }];
    const sent = { content, isError: null, structuredContent: null };
    expect(await resultForModel(callResult.parse(sent))).toBe('[hologram that is not shown: it has no bytes]\nseen');
  });

  it('is cut when it is a long text, and an error when it is long data', async () => {
    expect(await resultForModel(text('x'.repeat(50_001)))).toBe(`${'x'.repeat(50_000)}… (cut)`);
    await expect(resultForModel({ content: [], structuredContent: { x: 'x'.repeat(50_001) } })).rejects.toThrow(
      ToolError,
    );
  });

  it('is an error if the tool reports one, with its text', async () => {
    await expect(resultForModel({ ...text('no such shelf'), isError: true })).rejects.toThrow('no such shelf');
    await expect(resultForModel({ content: [], isError: true })).rejects.toThrow('The tool reported a failure.');
  });
});
