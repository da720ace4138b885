// Alone: what follows is loaded with import(), because a Node too old for it would not get as far as the check.
import '@mlango/service-kit/check-node';

const { startLean } = await import('@mlango/service-kit/lean-start');
// An argument names a command, which ends when its work is done.
if (process.argv[2] === undefined) startLean();
const { runOracleApp } = await import('./run-oracle-app.js');
await runOracleApp({ config: { name: 'Mlango' } });
