/** Plugins that cannot be started together, or one that is not put together rightly. The oracle does not start. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}
