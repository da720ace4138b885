import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { buildCaseDescriptors } from './case-descriptors.js';
import { casesFile, gatewayCase } from './cases.js';
import { caseContext, runCase } from './run-case.js';

export interface CaseOutput {
  /** Takes one line of results. */
  readonly say: (line: string) => void;
  /** Takes the reason why no case was run. */
  readonly complain: (line: string) => void;
}

/** Maximum of rules in a case. */
const MAX_RULES = 64;

/** The package manager changes the folder; the folder of the command line comes first. */
function findFile(given: string): string | undefined {
  const folders = [
    process.env['INIT_CWD'],
    process.env['PWD'],
    process.cwd(),
    resolve(import.meta.dirname, '../../..'),
  ];
  return folders
    .flatMap((folder) => (folder === undefined ? [] : [resolve(folder, given)]))
    .find((path) => existsSync(path));
}

/** Runs every case of a file through the gateway's HTTP stack. Returns the exit code: 0, 1 for a failed case, 2 without a file. */
export async function runCases(given: string | undefined, { say, complain }: CaseOutput): Promise<number> {
  const file = given === undefined ? undefined : findFile(given);
  if (file !== undefined) return runFile(file, say);
  complain(given === undefined ? 'usage: conformance FILE' : `no such file: ${given}`);
  return 2;
}

async function runFile(file: string, say: CaseOutput['say']): Promise<number> {
  const { schema, cases } = casesFile.parse(JSON.parse(await readFile(file, 'utf8')));
  const typeName = /message ([\w.]+)/.exec(schema)?.[1];
  if (typeName === undefined) throw new Error('the file does not name the message of its rules');
  const context = caseContext(buildCaseDescriptors(dirname(file), typeName, MAX_RULES));
  const byKind = new Map<string, { passed: number; failed: number }>();
  try {
    for (const [index, input] of cases.entries()) {
      const parsed = gatewayCase.safeParse(input);
      const kind = parsed.success ? parsed.data.kind : 'unreadable';
      const name = parsed.success ? parsed.data.name : `case ${index}`;
      const differences = parsed.success ? await runSafely(parsed.data, context) : [parsed.error.message];
      const tally = byKind.get(kind) ?? { passed: 0, failed: 0 };
      byKind.set(kind, tally);
      tally[differences.length === 0 ? 'passed' : 'failed'] += 1;
      if (differences.length > 0) say(`FAILED ${kind}: ${name}\n  ${differences.join('\n  ')}`);
    }
  } finally {
    await context.close();
  }
  for (const [kind, { passed, failed }] of byKind) say(`${kind}: ${passed} passed, ${failed} failed`);
  const total = [...byKind.values()].reduce((sum, tally) => sum + tally.failed, 0);
  say(`${cases.length - total} passed, ${total} failed`);
  return total === 0 ? 0 : 1;
}

async function runSafely(
  test: Parameters<typeof runCase>[0],
  context: Parameters<typeof runCase>[1],
): Promise<string[]> {
  try {
    return await runCase(test, context);
  } catch (error) {
    return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
  }
}
