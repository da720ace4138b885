// npm run roll-out: the newest release before this tree is built from the history of this clone, and rolled out to this tree and back, on running
// services (deploy/proxy/roll-out-of-*.test.ts). Exit code 77, and why, where the clone has no earlier release.
import { testOnTerminal } from '../bootstrap/commands/test.mjs';
import { outputOf } from '../checks/pnpm.mjs';
import { repositoryRoot } from '../checks/project-files.mjs';
import { buildOf, releaseBefore } from './release-before.mjs';

const LEFT_OUT = 77;

const before = releaseBefore();
if ('missing' in before) {
  console.log(`Left out: ${before.missing}`);
  process.exit(LEFT_OUT);
}
console.log(`From ${before.version} (${before.commit}) to this tree, and back`);
process.env['RELEASE_BEFORE'] = await buildOf(before.commit).catch((error) => {
  console.error(outputOf(error));
  process.exit(1);
});
process.exitCode = await testOnTerminal(repositoryRoot, ['deploy/proxy/roll-out-of-', ...process.argv.slice(2)]);
