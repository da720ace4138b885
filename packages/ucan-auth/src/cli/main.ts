#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCommand, USAGE, UsageError } from './commands.js';

try {
  const outcome = await runCommand(process.argv.slice(2), () => text(process.stdin));
  console.log(outcome.text);
  process.exitCode = outcome.exitCode;
} catch (error) {
  console.error(error instanceof Error ? error.message : 'failed');
  if (error instanceof UsageError) console.error(USAGE);
  process.exitCode = 1;
}
