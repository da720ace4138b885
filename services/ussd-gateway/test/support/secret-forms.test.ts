import { describe, expect, it } from 'vitest';
import { holdsSecret } from './secret-forms.js';

describe('a search for a secret', () => {
  it.each([
    '{"text":"2*2*Amina*00*20731"}',
    '/api/ussd/comviva?input=20731&secret=x',
    Buffer.from('2*2*Amina*00*20731').toString('base64'),
    Buffer.from('xx20731').toString('base64url'),
    Buffer.from('pin 20731').toString('hex'),
    'JSON in JSON: "{\\"pin\\":\\"20731\\"}"',
  ])('finds it in %s', (text) => expect(holdsSecret('20731')(text)).toBe(true));

  it.each(['1720731994', '0.20731', 'a20731b', '20731.5'])('does not find it in %s', (text) => {
    expect(holdsSecret('20731')(text)).toBe(false);
  });
});
