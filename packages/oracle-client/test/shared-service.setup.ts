import type { TestProject } from 'vitest/node';
import { startProgram } from './program.fixture.js';

declare module 'vitest' {
  interface ProvidedContext {
    oracle: { readonly baseUrl: string; readonly oracleDid: string };
  }
}

/** Starts the real service, with the rehearsal plugin, once for all test files: each test has users of its own. */
export default async function startSharedService(project: TestProject): Promise<() => Promise<unknown>> {
  const { oracle, stop } = await startProgram('oracle-program.fixture.ts', ['DOORS=ai-sdk']);
  project.provide('oracle', oracle);
  return stop;
}
