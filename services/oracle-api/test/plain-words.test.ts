import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../src/create-test-oracle.js';

let oracle: TestOracle;
beforeAll(async () => {
  oracle = await createTestOracle({ config: { name: 'Jua' } });
});
afterAll(() => oracle.close());

describe('a new user, on the built-in model and without a network', () => {
  it('changes the name of the user and the oracle from the next message on, in every session', async () => {
    const user = await oracle.newUser();
    const first = await user.openSession();
    expect(await user.say('Call me Alex', first)).toBe('I will call you Alex from now on, in every conversation.');
    expect(await user.say('Hello', first)).toContain('Hello, Alex!');
    expect(await user.say('Call yourself Zuri')).toContain('Zuri');
    expect(await user.say('Hi')).toContain('Hello, Alex! I am Zuri.');
    expect(await (await oracle.newUser()).say('Hello')).toContain('Hello! I am Jua.');
  });

  it('stores a memory, recalls it in another session, and deletes it', async () => {
    const user = await oracle.newUser();
    expect(await user.say('Remember that my goat is called Zuri')).toBe('I will remember: "my goat is called Zuri"');
    expect(await user.say('What do you remember about my goat?')).toBe('I remember:\n- my goat is called Zuri');
    expect(await (await oracle.newUser()).say('What do you remember about my goat?')).toContain('I remember nothing');
    expect(await user.say('Forget about my goat')).toBe('I have forgotten: "my goat is called Zuri"');
    expect(await user.say('What do you remember?')).toBe('I remember nothing about that.');
  });

  it('gets examples to try', async () => {
    const user = await oracle.newUser();
    expect(await user.say('What can you do?')).toContain('"Remember that my goat is called Zuri"');
  });
});
