import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../language-model.js';
import { answer } from './answer.js';

const now = new Date('2026-11-20T11:05:00Z');

function reply(...said: string[]): string {
  return answer({ messages: said.map((content) => ({ role: 'user', content })), oracleName: 'Jua', now }).text;
}

describe('the built-in model', () => {
  it('greets, with its configured name', () => {
    expect(reply('Hello')).toContain('Hello! I am Jua');
    expect(reply('my name is asha', 'hi there')).toContain('Hello, Asha!');
  });

  it('uses the last name given in the conversation', () => {
    expect(reply('My name is Asha Mwangi')).toContain('Asha Mwangi.');
    expect(reply('Hi, my name is Asha and I like tea', 'What is my name?')).toBe('Your name is Asha.');
    expect(reply('My name is Asha', 'call me Bo', 'whats the time', 'who am I')).toBe('Your name is Bo.');
    expect(reply('What is my name?')).toContain('not told me');
  });

  it('uses the names that the user has chosen, in any conversation', () => {
    const preferences = { userName: 'Alex', agentName: 'Zuri' };
    const said = (content: string) =>
      answer({ messages: [{ role: 'user', content }], oracleName: 'Jua', now, preferences }).text;
    expect(said('hello')).toBe('Hello, Alex! I am Zuri. Ask me "What can you do?" to begin.');
    expect(said('What is my name?')).toBe('Your name is Alex.');
    expect(said('What is your name?')).toContain('I am Zuri');
  });

  it('describes its abilities and itself', () => {
    expect(reply('What can you do?')).toContain('fixed rules');
    expect(reply('Are you human?')).toContain('not a person');
  });

  it('admits an unknown answer', () => {
    expect(reply('Who won the cup in 1998?')).toContain('I cannot answer that');
    expect(reply('a '.repeat(15_000))).toContain('I cannot answer that');
  });

  it("gives the time in the user's zone, and in UTC without one", () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'What time is it?' }];
    const inNairobi = answer({ messages, oracleName: 'Jua', now, timezone: 'Africa/Nairobi' }).text;
    expect(inNairobi).toBe('It is 14:05 on Friday, 20 November 2026 (Africa/Nairobi).');
    expect(reply('what time is it')).toContain('11:05 on Friday, 20 November 2026 (UTC)');
  });

  it('quotes earlier messages of the conversation', () => {
    expect(reply('one', 'two', 'What did I say?')).toBe('You wrote: "two"');
    expect(reply('one', 'two', 'What did I say first?')).toBe('You wrote: "one"');
    expect(reply('one', 'How many messages did I send?')).toContain('2 messages');
  });

  it('repeats, counts and calculates', () => {
    expect(reply('Say good  morning\nall')).toBe('good  morning\nall');
    expect(reply('count to 5')).toBe('1 2 3 4 5');
    expect(reply('count to 100000')).toMatch(/ 1000\nI stop at 1000\.$/);
    expect(reply('What is 12 * 7?')).toBe('12 * 7 = 84');
    expect(reply('(1 + 2) / 4 =')).toBe('(1 + 2) / 4 = 0.75');
    expect(reply('1 / 0')).toContain('I cannot answer that');
    expect(reply('20 November 2026')).toContain('I cannot answer that');
  });

  it('returns the same answer for the same conversation, and never an empty one', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (said) => {
        const first = reply(...said);
        expect(first.length).toBeGreaterThan(0);
        expect(reply(...said)).toBe(first);
      }),
    );
  });
});
