// Alone: what follows is loaded with import(), because a Node too old for it would not get as far as the check.
import '@mlango/service-kit/check-node';

const { givenCommand } = await import('@mlango/service-kit/command');
givenCommand('migrate', 'move');
const { runOracleApp } = await import('./oracle.js');
await runOracleApp({ config: { name: 'Mlango' } });
