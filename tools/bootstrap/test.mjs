// npm test: set-up, then every test; ends with a line `N passed, N failed`.
import './check-node.cjs';

// Dynamic, so that nothing newer is parsed before the Node check has run.
void import('./commands/test.mjs').then((command) => command.main());
