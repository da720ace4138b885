import { use } from 'react';
import { askedSettings, type Settings, settings } from './asked-settings.js';

/** Suspends until they are there. */
export function useSettings(): Settings {
  return settings ?? use(askedSettings);
}
