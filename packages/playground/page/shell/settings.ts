import { use } from 'react';

/** The settings of this deployment. */
export interface Settings {
  readonly handset: boolean;
  /** Whether the page may add to balances of credits, as an operator does. */
  readonly topUps: boolean;
  readonly serviceCode: string;
  readonly oracleDid: string;
}

/** The settings, once they are loaded. */
let settings: Settings | undefined;

/** Requested before any component needs them. */
const fetchSettings: Promise<Settings> = fetch('/settings.json').then(async (response) => {
  if (!response.ok) throw new Error(`The settings of this page could not be read (${response.status}).`);
  settings = (await response.json()) as Settings;
  return settings;
});

// A view that needs the settings shows the error.
fetchSettings.catch(() => undefined);

/** Suspends until they are loaded. */
export function useSettings(): Settings {
  return settings ?? use(fetchSettings);
}
