import { describe, expect, it } from 'vitest';
import { isTimeZone } from '../common/time-zone.js';
import { sendMessageBody } from './send.js';
import { sessionListQuery } from './sessions.js';

const fails = (body: unknown): string[] => {
  const result = sendMessageBody.safeParse(body);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
};

const file = { filename: 'a.png', mimetype: 'image/png', mxcUri: 'mxc://example.org/abc' };

describe('the body of a send', () => {
  it('takes 1 to 32,000 characters and names the field otherwise', () => {
    expect(fails({ message: 'a' })).toEqual([]);
    expect(fails({ message: 'a'.repeat(32_000) })).toEqual([]);
    expect(fails({ message: 'a'.repeat(32_001) })).toEqual(['message']);
    expect(fails({ message: '' })).toEqual(['message']);
    expect(fails({})).toEqual(['message']);
    expect(fails({ message: 'a\u0000b' })).toEqual(['message']);
  });

  it('neither streams nor returns the transcript by default', () => {
    expect(sendMessageBody.parse({ message: 'a' })).toEqual({ message: 'a', stream: false, returnAllMessages: false });
    expect(fails({ message: 'a', stream: 'true' })).toEqual(['stream']);
  });

  it('takes at most 10 attachments, each with an mxc or http address or an event id', () => {
    expect(fails({ message: 'a', attachments: Array(10).fill(file) })).toEqual([]);
    expect(fails({ message: 'a', attachments: Array(11).fill(file) })).toEqual(['attachments']);
    expect(fails({ message: 'a', attachments: [{ ...file, category: 'image', size: 12 }] })).toEqual([]);
    expect(fails({ message: 'a', attachments: [{ ...file, mxcUri: undefined, eventId: '$abc' }] })).toEqual([]);
    expect(fails({ message: 'a', attachments: [{ ...file, mxcUri: undefined }] })).toEqual(['attachments.0']);
    expect(fails({ message: 'a', attachments: [{ ...file, mxcUri: 'file:///etc/passwd' }] })).toEqual([
      'attachments.0.mxcUri',
    ]);
    expect(fails({ message: 'a', attachments: [{ ...file, filename: 'a'.repeat(256) }] })).toEqual([
      'attachments.0.filename',
    ]);
  });

  it('accepts tools and actions with an empty schema', () => {
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
    expect(fails({ message: 'a', tools: [{ name: 'scroll', description: 'd', schema }] })).toEqual([]);
    expect(fails({ message: 'a', agActions: [{ name: 'plot', description: 'd', schema, hasRender: true }] })).toEqual(
      [],
    );
    expect(fails({ message: 'a', tools: [{ name: '', description: 'd', schema }] })).toEqual(['tools.0.name']);
    expect(fails({ message: 'a', tools: [{ name: 'scroll', description: 'd', schema: 'x' }] })).toEqual([
      'tools.0.schema',
    ]);
  });

  it('takes at most 16 KiB of metadata and base64 MCP invocations', () => {
    const filler = 'a'.repeat(16_384 - '{"k":""}'.length);
    expect(fails({ message: 'a', metadata: { k: filler } })).toEqual([]);
    expect(fails({ message: 'a', metadata: { k: `${filler}a` } })).toEqual(['metadata']);
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(fails({ message: 'a', metadata: { deep } })).toEqual(['metadata']);
    expect(fails({ message: 'a', mcpInvocations: { search: 'OqJlcm9vdHM=' } })).toEqual([]);
    expect(fails({ message: 'a', mcpInvocations: { search: 'not base64!' } })).toEqual(['mcpInvocations.search']);
  });

  it('takes request ids of at most 128 safe characters', () => {
    expect(fails({ message: 'a', requestId: 'a.B-c_d:1' })).toEqual([]);
    expect(fails({ message: 'a', requestId: 'a b' })).toEqual(['requestId']);
    expect(fails({ message: 'a', requestId: 'a'.repeat(129) })).toEqual(['requestId']);
  });

  it('ignores unknown fields', () => {
    expect(fails({ message: 'a', somethingNew: { deep: true } })).toEqual([]);
  });
});

describe('time zones', () => {
  it('are names of the IANA database, not offsets', () => {
    for (const name of ['Africa/Nairobi', 'UTC', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires']) {
      expect(isTimeZone(name), name).toBe(true);
    }
    for (const name of ['', 'Mars/Olympus', '+03:00', '03:00', 'Africa/Nairobi ', 'a'.repeat(100)]) {
      expect(isTimeZone(name), name).toBe(false);
    }
  });
});

describe('the query of the session list', () => {
  it('caps the limit and uses the default for values that are not whole numbers', () => {
    expect(sessionListQuery.parse({})).toEqual({ limit: 20, offset: 0, archived: false });
    expect(sessionListQuery.parse({ limit: '7', offset: '3' })).toEqual({ limit: 7, offset: 3, archived: false });
    expect(sessionListQuery.parse({ limit: '1000' }).limit).toBe(100);
    expect(sessionListQuery.parse({ limit: '-1', offset: '-5' })).toEqual({ limit: 20, offset: 0, archived: false });
    expect(sessionListQuery.parse({ limit: 'x', offset: '1.5' })).toEqual({ limit: 20, offset: 0, archived: false });
    expect(sessionListQuery.parse({ limit: ['1', '2'] }).limit).toBe(20);
  });
});
