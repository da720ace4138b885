import { runCases } from './run-cases.js';

/** `pnpm --filter @mlango/proto-gateway conformance FILE`: runs every case of a file through the gateway's HTTP stack. */
process.exitCode = await runCases(process.argv[2], {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
});
