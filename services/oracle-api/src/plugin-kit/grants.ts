import type { PreferencesStore } from '../store/preferences-store.js';
import { PluginError } from './plugin-error.js';

/** What a plugin may be granted beside what is its own, by the name under which its manifest asks for it. */
export interface Grants {
  /** How users want to be talked to: to read, and to set. */
  readonly 'preferences:write': PreferencesStore;
}

export type Grant = keyof Grants;

/** All there are. */
export const grantNames = Object.keys({ 'preferences:write': true } satisfies Record<Grant, true>) as Grant[];

/** @throws PluginError for what the plugin's manifest does not ask for. */
export function granted<Name extends Grant>(
  { grants }: { readonly grants: Partial<Grants> },
  name: Name,
): Grants[Name] {
  const grant = grants[name];
  if (grant === undefined) throw new PluginError(`it uses "${name}", which its manifest does not name in needs`);
  return grant;
}

/** Of all grants those that a plugin asks for, and no other. */
export function grantsOf(all: Grants, needs: readonly Grant[]): Partial<Grants> {
  return Object.fromEntries(needs.map((name) => [name, all[name]]));
}
