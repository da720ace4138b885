import { sha256Hex } from '@mlango/crypto/hashing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readRecord, recordShape, type SessionRecord, sessionRecord, storedText } from './session-record.js';

const record: SessionRecord = {
  aggregator: 'canonical',
  sessionId: 's-1',
  phoneNumber: '+254712345678',
  serviceCode: '*2233#',
  flow: { id: 'default', version: 1 },
  position: { state: 'welcome', language: 'en', choices: {}, page: 0 },
  isAuthenticated: false,
  macKeyId: 'k',
  marks: [{ length: 0, mac: 'm' }],
  message: 'Welcome',
  ended: false,
};

describe('a stored record', () => {
  it('is read as it was written', () => {
    expect(readRecord(storedText(record))).toEqual(record);
  });

  it('of another shape is checked field by field', () => {
    const { position: _, ...rest } = record;
    expect(readRecord(JSON.stringify(rest))).toBeUndefined();
    expect(readRecord(JSON.stringify({ ...rest, shape: recordShape + 1 }))).toBeUndefined();
  });

  it('that is truncated or invalid counts as none', () => {
    expect(readRecord(storedText(record).slice(0, -1))).toBeUndefined();
    expect(readRecord('')).toBeUndefined();
  });

  it('has a new number with each change of its shape', () => {
    const shape = sha256Hex(JSON.stringify(z.toJSONSchema(sessionRecord, { io: 'input' }))).slice(0, 16);
    // If the shape changed, raise recordShape and insert the received value here.
    expect([recordShape, shape]).toEqual([4, '47bc503365a01443']);
  });
});
