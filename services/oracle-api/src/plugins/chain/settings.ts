import { strongInProduction, tokenWeakness } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { baseUrl } from '../api/settings.js';

export const chainSettings = z.object({
  PROTO_GATEWAY_URL: baseUrl.describe(
    'The query gateway for the plugin `chain`, and for keys of did:ixo callers without an indexer',
  ),
  PROTO_GATEWAY_API_KEY: strongInProduction(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks')
      .optional(),
    tokenWeakness,
  ).describe('Key for a query gateway with access control'),
});
