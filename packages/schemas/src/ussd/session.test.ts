import { describe, expect, it } from 'vitest';
import { ussdReply, ussdRequestSchema } from './session.js';

const schema = ussdRequestSchema({ serviceCodeLevels: 2 });
const dial = { sessionId: 's-1', serviceCode: '*384#', phoneNumber: '+260971230567', text: '' };
const accepts = (change: Record<string, unknown>) => schema.safeParse({ ...dial, ...change }).success;

describe('a hop on the wire', () => {
  it.each(['+2609712', '+12345678', '+1', '+260971230567', '+123456789012345'])(
    'accepts %s as E.164 allows',
    (number) => {
      expect(accepts({ phoneNumber: number })).toBe(number.length >= 8);
    },
  );

  it.each([
    '260971230567',
    '+0971230567',
    '+1234567890123456',
    '+26097 1230567',
    '+260971230567\n',
    ' +260971230567',
    '+26097a30567',
    '',
  ])('refuses %j as a phone number', (phoneNumber) => expect(accepts({ phoneNumber })).toBe(false));

  it.each(['*384#', '*384*1#', '*0#'])('accepts the service code %s', (serviceCode) => {
    expect(accepts({ serviceCode })).toBe(true);
  });

  it.each(['384#', '*384', '*#', '**384#', '*384*#', '*384*1*2#', '*38a#', '*384#\n', '#384#', '*384#*'])(
    'refuses %j as a service code',
    (serviceCode) => expect(accepts({ serviceCode })).toBe(false),
  );

  it('accepts longer service codes if the operator allows them', () => {
    const deeper = ussdRequestSchema({ serviceCodeLevels: 3 });
    expect(deeper.safeParse({ ...dial, serviceCode: '*384*1*2#' }).success).toBe(true);
    expect(deeper.safeParse({ ...dial, serviceCode: '*384*1*2*3#' }).success).toBe(false);
  });

  it('accepts at most 100 characters of session id and 182 of text', () => {
    expect(accepts({ sessionId: 'x'.repeat(100), text: '1'.repeat(182) })).toBe(true);
    expect(accepts({ sessionId: 'x'.repeat(101) })).toBe(false);
    expect(accepts({ text: '1'.repeat(183) })).toBe(false);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(accepts({ text: '😀'.repeat(182) })).toBe(true);
    expect(accepts({ text: '😀'.repeat(183) })).toBe(false);
  });

  it('refuses invalid characters, and control characters in an identifier', () => {
    expect(accepts({ text: '1\ud800' })).toBe(false);
    expect(accepts({ sessionId: 'a\u0000b' })).toBe(false);
    expect(accepts({ sessionId: '' })).toBe(false);
  });

  it('requires all four fields, as strings', () => {
    for (const field of ['sessionId', 'serviceCode', 'phoneNumber', 'text']) {
      expect(accepts({ [field]: undefined })).toBe(false);
      expect(accepts({ [field]: 1 })).toBe(false);
      expect(accepts({ [field]: null })).toBe(false);
    }
  });

  it('drops unknown fields', () => {
    expect(schema.parse({ ...dial, networkCode: '64501' })).toEqual(dial);
  });
});

describe('a reply on the wire', () => {
  it('starts with CON or END and a space', () => {
    expect(ussdReply.safeParse('CON Hello').success).toBe(true);
    expect(ussdReply.safeParse('END Bye').success).toBe(true);
    expect(ussdReply.safeParse('CONTINUE').success).toBe(false);
    expect(ussdReply.safeParse('Hello').success).toBe(false);
  });
});
