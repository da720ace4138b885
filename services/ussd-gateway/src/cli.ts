import { runOperatorCommand } from './cli/operator-commands.js';

process.exitCode = await runOperatorCommand(process.argv.slice(2));
