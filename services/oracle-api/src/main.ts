// The only static import: the rest is loaded with import(), so that an old Node.js reaches the version check.
import '@mlango/service-kit/check-node';

const { readCommand } = await import('@mlango/service-kit/command');
readCommand('migrate', 'move');
const { runOracleApp } = await import('./oracle.js');
await runOracleApp({ config: { name: 'Mlango' } });
