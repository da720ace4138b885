// Installs the published clients, and the Node that the newest of them need, into clients/node_modules.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('clients/', import.meta.url));
const shell = process.platform === 'win32';
// Without npm's engine warnings: the clients run on the Node that is installed with them.
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
execFileSync('npm', ['ci', ...quiet], { cwd: folder, stdio: 'inherit', shell });
// The package `node` fetches the program of this platform in its install script.
execFileSync(process.execPath, ['installArchSpecificPackage.js'], {
  cwd: `${folder}node_modules/node`,
  stdio: 'inherit',
});
