import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Deps } from '../deps.js';
import type { DoorName } from './door-names.js';

/** A door to the oracle in the tongue of other clients: its routes. */
type Door = (scope: HttpApp, deps: Deps) => void;

/** A door that is not open is not loaded. */
const doors: Readonly<Record<DoorName, () => Promise<Door>>> = {
  a2a: async () => (await import('./a2a/a2a-door.js')).a2aDoor,
  'ag-ui': async () => (await import('./ag-ui/ag-ui-door.js')).agUiDoor,
  'ai-sdk': async () => (await import('./ai-sdk/ai-sdk-door.js')).aiSdkDoor,
  mcp: async () => (await import('./mcp/mcp-door.js')).mcpDoor,
  openai: async () => (await import('./openai/openai-door.js')).openAiDoor,
};

/** Opens those of the doors that are named. */
export async function mountDoors(app: HttpApp, deps: Deps): Promise<void> {
  for (const name of deps.doors) {
    const door = await doors[name]();
    await app.register(async (scope: HttpApp) => door(scope, deps));
  }
}
