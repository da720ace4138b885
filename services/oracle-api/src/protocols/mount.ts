import type { HttpApp } from '@mlango/service-kit/http-app';
import type { ProtocolName } from './names.js';
import type { ProtocolDeps } from './protocol-deps.js';

/** Registers the routes of a protocol. */
type Routes = (scope: HttpApp, deps: ProtocolDeps) => void;

/** Loaders, so that a disabled protocol is not loaded. */
const protocols: Readonly<Record<ProtocolName, () => Promise<Routes>>> = {
  a2a: async () => (await import('./a2a/routes.js')).routes,
  'ag-ui': async () => (await import('./ag-ui/routes.js')).routes,
  'ai-sdk': async () => (await import('./ai-sdk/routes.js')).routes,
  mcp: async () => (await import('./mcp/routes.js')).routes,
  openai: async () => (await import('./openai/routes.js')).routes,
};

/** Registers the enabled protocols. */
export async function mountProtocols(app: HttpApp, deps: ProtocolDeps): Promise<void> {
  for (const name of deps.protocols) {
    const routes = await protocols[name]();
    await app.register(async (scope: HttpApp) => routes(scope, deps));
  }
}
