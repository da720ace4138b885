import { describe, expect, it } from 'vitest';
import { attachmentSettings } from './settings.js';

describe('the settings of attachments', () => {
  it('permit no source by default', () => {
    expect(attachmentSettings.parse({})).toEqual({
      MATRIX_HOMESERVERS: [],
      ATTACHMENT_HOSTS: [],
      ATTACHMENT_REQUEST_BYTES: 20_971_520,
      ATTACHMENT_HISTORY_IMAGES: 4,
      ATTACHMENT_HISTORY_BYTES: 10_485_760,
      ATTACHMENT_MAX_BYTES: 5_242_880,
      ATTACHMENT_TOKENS: 8_000,
      ATTACHMENT_TIMEOUT_MS: 8_000,
      ATTACHMENT_TYPES: ['text', 'image', 'pdf', 'audio'],
      ATTACHMENT_USER_BYTES: 104_857_600,
      ATTACHMENT_KEEP_DAYS: 90,
    });
  });

  it('accept homeservers as hosts and as URLs, and web hosts with one port each', () => {
    const read = attachmentSettings.parse({
      MATRIX_HOMESERVERS: 'matrix.example.org, https://MX.example.org:8448/,http://synapse:8008',
      ATTACHMENT_HOSTS: 'cdn.example.org,files.example.org:8443',
    });
    expect(read.MATRIX_HOMESERVERS).toEqual([
      'https://matrix.example.org',
      'https://mx.example.org:8448',
      'http://synapse:8008',
    ]);
    expect(read.ATTACHMENT_HOSTS).toEqual([
      { host: 'cdn.example.org', port: 443 },
      { host: 'files.example.org', port: 8_443 },
    ]);
  });

  it('require both or neither of transcription endpoint and model', () => {
    const problemsOf = (env: object) => attachmentSettings.safeParse(env).error?.issues.map(({ path }) => path[0]);
    const [url, model] = [{ TRANSCRIPTION_BASE_URL: 'https://llm.example/v1' }, { TRANSCRIPTION_MODEL: 'ear' }];
    expect(problemsOf({ ...url, ...model })).toBeUndefined();
    expect(problemsOf(url)).toEqual(['TRANSCRIPTION_MODEL']);
    expect(problemsOf(model)).toEqual(['TRANSCRIPTION_BASE_URL']);
    expect(problemsOf({ ...url, ...model, TRANSCRIPTION_API_KEY: 'two words' })).toEqual(['TRANSCRIPTION_API_KEY']);
  });

  it.each([
    ['MATRIX_HOMESERVERS', 'https://mx.example.org/path'],
    ['MATRIX_HOMESERVERS', 'https://user@mx.example.org'],
    ['MATRIX_HOMESERVERS', 'ftp://mx.example.org'],
    ['ATTACHMENT_HOSTS', 'https://cdn.example.org'],
    ['ATTACHMENT_HOSTS', '*'],
    ['ATTACHMENT_MAX_BYTES', '0'],
    ['ATTACHMENT_TIMEOUT_MS', '60000'],
    ['ATTACHMENT_TYPES', 'text,video'],
  ])('refuse %s=%s, naming the variable', (name, value) => {
    const read = attachmentSettings.safeParse({ [name]: value });
    expect(read.error?.issues.map(({ path }) => path)).toEqual([[name]]);
  });
});
