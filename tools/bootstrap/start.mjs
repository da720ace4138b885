// npm start: set-up, then the mock node and the three services, until a stop signal.
import './check-node.cjs';

// Dynamic, so that nothing newer is parsed before the Node check has run.
void import('./commands/start.mjs').then((command) => command.main());
