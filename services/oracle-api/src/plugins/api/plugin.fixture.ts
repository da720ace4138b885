import { definePlugin } from './define-plugin.js';
import type { OraclePlugin } from './plugin.js';

/** A plugin with only the members that a test adds. */
export function testPlugin(name: string, members: Partial<OraclePlugin> = {}): OraclePlugin {
  return definePlugin({
    name,
    version: '1.0.0',
    manifest: { title: name, summary: `Does ${name}.`, whenToUse: `${name} is asked for.`, visibility: 'always' },
    ...members,
  });
}

export const manifestOf = (visibility: OraclePlugin['manifest']['visibility']): OraclePlugin['manifest'] => ({
  title: visibility,
  summary: `Is ${visibility}.`,
  whenToUse: 'it is asked for.',
  visibility,
});
