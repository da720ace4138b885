import { afterEach, describe, expect, it } from 'vitest';
import { endPrograms, runProgram, startBuilt, startProgram } from './program.js';

afterEach(endPrograms);

const listens = /at (\S+)/;
const serving = 'console.log("at http://one"); setInterval(() => {}, 1000);';

describe('a program that a test starts', () => {
  it('reports its address, and ends with its code', async () => {
    const graceful = `process.on("SIGTERM", () => process.exit(3)); ${serving}`;
    const program = await startProgram(['-e', graceful], { env: {}, listens });
    expect(program.address).toBe('http://one');
    expect(await program.end('SIGTERM')).toBe(3);
  });

  it("gets none of the tests' environment", async () => {
    process.env['MEANT_FOR_TESTS'] = 'yes';
    const program = runProgram(['-p', 'JSON.stringify(Object.keys(process.env))'], { env: { GIVEN: 'yes' } });
    expect(await program.exit).toBe(0);
    expect(program.output()).toContain('GIVEN');
    expect(program.output()).not.toContain('MEANT_FOR_TESTS');
  });

  it('that ends before it listens fails with its output', async () => {
    const starting = startProgram(['-e', 'console.error("no such port"); process.exit(7)'], { env: {}, listens });
    await expect(starting).rejects.toThrow(/ended with 7 .*no such port/);
  });

  it('is not searched for if it was not built', async () => {
    await expect(startBuilt('services/none/dist/main.js', {})).rejects.toThrow('services/none/dist/main.js is missing');
  });

  it('does not outlive its test file', async () => {
    const program = await startProgram(['-e', serving], { env: {}, listens });
    await endPrograms();
    expect(program.child.signalCode).toBe('SIGKILL');
  });
});
