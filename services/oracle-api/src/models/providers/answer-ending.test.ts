import type { FinishReason } from 'ai';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../model-error.js';
import { answerEnding } from './answer-ending.js';

const failed = { kind: 'server', retryable: true };
const filtered = { kind: 'unknown', retryable: false };

describe('a finish reason', () => {
  it.each([
    ['stop', 'stop', 'complete'],
    ['tool-calls', 'tool_calls', 'complete'],
    ['length', 'length', 'cut'],
    ['other', 'eos', 'complete'],
    ['other', 'end_turn', 'complete'],
    ['other', 'MAX_TOKENS', 'cut'],
    ['other', 'model_length', 'cut'],
  ] as const)('%s (%s) ends an answer that is %s', (reason, raw, ending) => {
    expect(answerEnding(reason, raw)).toBe(ending);
  });

  it.each<[FinishReason, string | undefined, object]>([
    ['content-filter', 'content_filter', filtered],
    ['other', 'SAFETY', filtered],
    ['other', 'refusal', filtered],
    ['other', 'error', failed],
    ['other', 'insufficient_system_resource', failed],
    ['error', undefined, failed],
    ['other', 'surprise', failed],
    ['other', undefined, failed],
  ])('%s (%s) is a failure', (reason, raw, expected) => {
    expect(answerEnding(reason, raw)).toMatchObject(expected);
  });

  it('that is not an identifier is not logged', () => {
    const ending = answerEnding('other', 'key sk-secret at https://llm.example');
    expect(ending).toBeInstanceOf(ModelError);
    expect(String(Object(ending).cause)).not.toContain('secret');
  });
});
