import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// How to reach the network: these mean the same to a child as to us. Everything else under npm_config_ belongs to the
// npm that runs this script and would bend the npm and pnpm run from here.
const NETWORK_SETTINGS = ['registry', 'proxy', 'https_proxy', 'noproxy', 'cafile', 'strict_ssl'];

/**
 * The environment without the additions of `npm run`.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutNpmVariables(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => {
      const setting = /^npm_config_(.+)$/i.exec(name)?.[1]?.toLowerCase().replaceAll('-', '_');
      if (setting !== undefined) return value !== '' && NETWORK_SETTINGS.includes(setting);
      return !/^npm_(lifecycle|package)_|^npm_(command|execpath|node_execpath)$|^INIT_CWD$/i.test(name);
    }),
  );
}

/**
 * The environment for npm, pnpm and turbo: the pinned pnpm first in PATH, no telemetry, a home they can write to, and
 * no NODE_ENV (under `production` pnpm would leave out the compiler).
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root - the repository
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(env, root) {
  const { NODE_ENV: _dropped, ...rest } = withoutNpmVariables(env);
  const pathName = Object.keys(rest).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const home = process.platform === 'win32' || isWritableFolder(rest['HOME']) ? {} : { HOME: fallbackHome(root) };
  return {
    ...rest,
    ...home,
    [pathName]: [join(root, 'tools/pnpm/node_modules/.bin'), rest[pathName]].filter(Boolean).join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
  };
}

/** @param {string | undefined} folder */
function isWritableFolder(folder) {
  if (folder === undefined || folder === '') return false;
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** @param {string} root */
function fallbackHome(root) {
  const home = join(root, 'node_modules/.bootstrap/home');
  mkdirSync(home, { recursive: true });
  return home;
}
