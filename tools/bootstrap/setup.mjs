// npm run setup: the pinned pnpm, the packages and the build.
import './check-node.cjs';

// Dynamic, so that nothing newer is parsed before the Node check has run.
void import('./commands/set-up.mjs').then((command) => command.main());
