import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { type Config, ConfigError, readConfig } from './config.js';
import { type MockNode, startMockNode } from './server.js';

// The process reports errors itself, with the name of the variable.
setLogVerbosity(logVerbosity.NONE);

function fail(message: string): never {
  process.stderr.write(`mock-node: ${message}\n`);
  process.exit(1);
}

function configured(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return fail(error instanceof ConfigError ? error.message : String(error));
  }
}

async function start(config: Config): Promise<MockNode> {
  try {
    return await startMockNode(config);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      return fail(`port ${config.port} on ${config.host} is taken; set MOCK_NODE_PORT to a free one`);
    }
    return fail(`cannot start on ${config.host}:${config.port}: ${String(error)}`);
  }
}

const node = await start(configured());
process.stdout.write(`mock-node: gRPC on ${node.address}\n`);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void node.close().then(() => process.exit(0));
  });
}
