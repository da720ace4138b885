import type { JsonProfile } from '../src/json/profile.js';

/** Names as declared, and fields at their default: the profile with the largest output. */
export const WHOLE_PROFILE: JsonProfile = { names: 'proto', defaults: 'emit' };
