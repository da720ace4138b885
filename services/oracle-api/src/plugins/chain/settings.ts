import { strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { baseUrl } from '../api/settings.js';

export const chainSettings = z.object({
  /** Base address of the query gateway. */
  PROTO_GATEWAY_URL: baseUrl,
  /** For a gateway that requires authentication. */
  PROTO_GATEWAY_API_KEY: strongInProduction(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks')
      .optional(),
    tokenWeakness,
  ),
});
