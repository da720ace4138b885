import { use } from 'react';

/** What the server says of this deployment. */
export interface Settings {
  readonly handset: boolean;
  readonly serviceCode: string;
  readonly oracleDid: string;
}

const loading: Promise<Settings> = fetch('/settings.json').then(async (response) => {
  if (!response.ok) throw new Error(`The settings of this page could not be read (${response.status}).`);
  return (await response.json()) as Settings;
});

/** Suspends until they are there. */
export function useSettings(): Settings {
  return use(loading);
}
