import { use } from 'react';

/** What the server says of this deployment. */
export interface Settings {
  readonly handset: boolean;
  /** Whether the page may add to balances of credits, as an operator does. */
  readonly topUps: boolean;
  readonly serviceCode: string;
  readonly oracleDid: string;
}

/** The settings, once they are there. */
let settings: Settings | undefined;

/** ChainQuery for before there is anything that shows them. */
const fetchSettings: Promise<Settings> = fetch('/settings.json').then(async (response) => {
  if (!response.ok) throw new Error(`The settings of this page could not be read (${response.status}).`);
  settings = (await response.json()) as Settings;
  return settings;
});

// Whoever needs them is told; a view that needs none has nothing to complain of.
fetchSettings.catch(() => undefined);

/** Suspends until they are there. */
export function useSettings(): Settings {
  return settings ?? use(fetchSettings);
}
