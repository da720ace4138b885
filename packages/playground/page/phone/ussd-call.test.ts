import { describe, expect, it } from 'vitest';
import { screenOf } from './ussd-call.js';

describe('the screen in a reply', () => {
  it('goes on with CON and closes with END, lines and all', () => {
    expect(screenOf({ status: 200, body: 'CON Welcome\n1. Go' })).toEqual({ kind: 'CON', message: 'Welcome\n1. Go' });
    expect(screenOf({ status: 200, body: 'END Goodbye' })).toEqual({ kind: 'END', message: 'Goodbye' });
    expect(screenOf({ status: 429, body: 'END Too many requests.' })).toEqual({
      kind: 'END',
      message: 'Too many requests.',
    });
  });

  it.each([
    [500, 'CON Welcome'],
    [200, 'CONTINUE'],
    [200, ''],
    [0, 'No connection.'],
    [503, '{"statusCode":503}'],
  ])('is the words of the network for %d %j', (status, body) => {
    expect(screenOf({ status, body }).kind).toBe('lost');
  });
});
