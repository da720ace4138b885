import { describe, expect, it } from 'vitest';
import { ToolError } from '../../plugin-kit/plugin-tool.js';
import { resultForModel } from './result-for-model.js';
import { type CallResult, callResult } from './server-replies.js';

const text = (words: string): CallResult => ({ content: [{ type: 'text', text: words }] });

describe('what a tool of a server gave back, for the model', () => {
  it('is its data where it gave any, else its text', () => {
    expect(resultForModel({ ...text('{"sum":5}'), structuredContent: { sum: 5 } })).toEqual({ sum: 5 });
    expect(resultForModel({ content: [...(text('a').content ?? []), ...(text('b').content ?? [])] })).toBe('a\nb');
    expect(resultForModel({ content: [] })).toBe('');
  });

  it('has the text beside the data where it says more', () => {
    expect(resultForModel({ ...text('{ "b": 1, "a": 2 }'), structuredContent: { a: 2, b: 1 } })).toEqual({
      a: 2,
      b: 1,
    });
    expect(resultForModel({ ...text('It is closed on Monday.'), structuredContent: { open: true } })).toEqual({
      text: 'It is closed on Monday.',
      data: { open: true },
    });
  });

  it('says of anything else what it is', () => {
    const content: NonNullable<CallResult['content']> = [
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource_link', name: 'notes', uri: 'file:///notes.txt' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'in full' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'aGk=', mimeType: 'application/pdf' } },
    ];
    expect(resultForModel({ content })).toBe(
      '[image/png that is not shown]\n[notes: file:///notes.txt]\nin full\n[application/pdf that is not shown]',
    );
  });

  it('is read where a detail of it is not as specified', () => {
    const content = [{ type: 'hologram' }, { type: 'text', text: 'seen', annotations: 7 }];
    const sent = { content, isError: null, structuredContent: null };
    expect(resultForModel(callResult.parse(sent))).toBe('[hologram that is not shown]\nseen');
  });

  it('is cut when it is a long text, and an error when it is long data', () => {
    expect(resultForModel(text('x'.repeat(50_001)))).toBe(`${'x'.repeat(50_000)}… (cut)`);
    expect(() => resultForModel({ content: [], structuredContent: { x: 'x'.repeat(50_001) } })).toThrow(ToolError);
  });

  it('is an error when the tool says so, in its words', () => {
    expect(() => resultForModel({ ...text('no such shelf'), isError: true })).toThrow('no such shelf');
    expect(() => resultForModel({ content: [], isError: true })).toThrow('The tool says that it failed.');
  });
});
