// Alone: what follows is loaded with import(), because a Node too old for it would not get as far as the check.
import '@mlango/service-kit/check-node';

const { givenCommand } = await import('@mlango/service-kit/command');
const { startLean } = await import('@mlango/service-kit/lean-start');
// A command ends when its work is done.
if (givenCommand('migrate', 'move') === undefined) startLean();
const { runOracleApp } = await import('./run-oracle-app.js');
await runOracleApp({ config: { name: 'Mlango' } });
