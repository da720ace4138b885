#!/usr/bin/env node
import { runCommand, USAGE, UsageError } from './cli-commands.js';

try {
  console.log(await runCommand(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : 'failed');
  if (error instanceof UsageError) console.error(USAGE);
  process.exitCode = 1;
}
