import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Deps } from '../deps.js';
import type { ProtocolName } from './names.js';

/** A door to the oracle in the tongue of other clients: its routes. */
type Door = (scope: HttpApp, deps: Deps) => void;

/** A door that is not open is not loaded. */
const doors: Readonly<Record<ProtocolName, () => Promise<Door>>> = {
  a2a: async () => (await import('./a2a/routes.js')).routes,
  'ag-ui': async () => (await import('./ag-ui/routes.js')).routes,
  'ai-sdk': async () => (await import('./ai-sdk/routes.js')).routes,
  mcp: async () => (await import('./mcp/routes.js')).routes,
  openai: async () => (await import('./openai/routes.js')).routes,
};

/** Opens those of the doors that are named. */
export async function mountProtocols(app: HttpApp, deps: Deps): Promise<void> {
  for (const name of deps.doors) {
    const door = await doors[name]();
    await app.register(async (scope: HttpApp) => door(scope, deps));
  }
}
