import { PluginError } from '../api/plugin-error.js';
import { inPlugin } from './plugin-scope.js';

/** What a plugin gives at start. @throws PluginError naming the plugin, when it throws. */
export function starting<T>(name: string, work: () => T): T {
  try {
    return inPlugin(name, work);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it threw what is no error';
    throw new PluginError(`plugin "${name}" cannot be started: ${reason}`, { cause });
  }
}
