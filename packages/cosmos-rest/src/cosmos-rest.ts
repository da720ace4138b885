import type { Registry } from '@bufbuild/protobuf';
import type { TranscoderHooks } from '@mlango/transcoder';
import type { JsonProfile } from '@mlango/transcoder/json-profile';
import { contractFormats } from './contract-values.js';
import { decimalFormats } from './decimal.js';
import { errorDetails } from './error-details.js';
import { moduleStatus } from './module-status.js';
import { type PageLimits, pageRule } from './page-rules.js';

/** The defaults of Cosmos clients: names as declared, default values included. */
export const COSMOS_PROFILE: JsonProfile = { names: 'proto', defaults: 'emit' };

/** As a node of the SDK has it, but that pages are bounded. */
export const PAGE_LIMITS: PageLimits = { defaultLimit: 100n, maxLimit: 1000n };

/** Options for `createTranscoder` to answer like the REST API of a Cosmos node. */
export function cosmosRest(
  files: Registry,
  limits: PageLimits = PAGE_LIMITS,
): { readonly profile: JsonProfile; readonly types: Registry; readonly hooks: TranscoderHooks } {
  const decimalOf = decimalFormats(files);
  const contractFormOf = contractFormats(files);
  return {
    profile: COSMOS_PROFILE,
    types: errorDetails,
    hooks: {
      formatOf: (field) => contractFormOf(field) ?? decimalOf(field),
      requestRules: [pageRule(limits)],
      statusOf: moduleStatus,
    },
  };
}
