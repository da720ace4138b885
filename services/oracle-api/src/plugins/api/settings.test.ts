import { describe, expect, it } from 'vitest';
import { baseUrl } from './settings.js';

describe('the setting of a base address', () => {
  it.each(['http://127.0.0.1:3002', 'https://gateway.example/v1/'])('accepts %s', (text) => {
    expect(baseUrl.parse(text)).toBe(text);
  });

  it.each([
    'gateway.example',
    'ftp://gateway.example',
    'https://key@gateway.example',
    'https://user:key@gateway.example',
    'https://gateway.example?key=1',
    'https://gateway.example#top',
    '',
  ])('refuses "%s", without repeating it', (text) => {
    const { error } = baseUrl.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be a URL starting with http:// or https://, without a user, a query or a fragment',
    ]);
  });
});
