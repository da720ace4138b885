/** The plugins that every oracle comes with, by their folders. Written by list-plugins.mjs as part of the build. */
export const bundledNames: readonly string[] = [
  'ag-ui',
  'attachments',
  'browser-tools',
  'calls',
  'chain',
  'credits',
  'feedback',
  'mcp',
  'memory',
  'slack',
  'user-preferences',
];
