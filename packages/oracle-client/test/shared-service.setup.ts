import type { TestProject } from 'vitest/node';
import { z } from 'zod';
import { oracleAddress, startProgram } from './program.fixture.js';

type OracleAddress = z.infer<typeof oracleAddress>;

declare module 'vitest' {
  interface ProvidedContext {
    oracle: OracleAddress;
    /** Offers two models. */
    oracleWithModels: OracleAddress;
    /** Queues one message per session. */
    oracleWithQueue: OracleAddress;
  }
}

const printed = z.object({ oracle: oracleAddress, oracleWithModels: oracleAddress, oracleWithQueue: oracleAddress });

/** Starts the real service, with the rehearsal plugin, once for all test files: each test has users of its own. */
export default async function startSharedService(project: TestProject): Promise<() => Promise<unknown>> {
  const { started, stop } = await startProgram('oracle-program.fixture.ts', printed);
  project.provide('oracle', started.oracle);
  project.provide('oracleWithModels', started.oracleWithModels);
  project.provide('oracleWithQueue', started.oracleWithQueue);
  return stop;
}
