import type { JsonProfile } from '../src/json-profile.js';

/** Names as they are declared, and fields at their default: the profile that writes the most. */
export const WHOLE_PROFILE: JsonProfile = { names: 'proto', defaults: 'emit' };
