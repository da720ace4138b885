// npm run -s token: a new token for the oracle that `npm start` runs.
import './check-node.cjs';

// Dynamic, so that nothing newer is parsed before the Node check has run.
void import('./commands/token.mjs').then((command) => command.main());
