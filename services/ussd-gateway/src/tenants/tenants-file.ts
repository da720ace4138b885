import { z } from 'zod';
import { wholeNumber } from '../entries/entry-kind.js';
import { readServiceCodes, type ServiceCodes } from './service-codes.js';

/** The tenant for codes that no other tenant has, and the only tenant without `services.yaml`. */
export const defaultTenant = 'default';

const codesForm = 'must be a service code such as "*384*1#", or a range of its last group such as "*384*10-19#"';
const codes = z
  .string({ error: codesForm })
  .transform((written, context): ServiceCodes => {
    const read = readServiceCodes(written);
    if (read !== undefined) return read;
    context.addIssue(codesForm);
    return z.NEVER;
  })
  .meta({ type: 'string', pattern: '^\\*([0-9]+\\*)*[0-9]+(-[0-9]+)?#$' });

const folder = z.string().regex(/^[A-Za-z][\w-]{0,59}$/, 'must be the name of a folder of flows');
const language = z.string().regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, 'must be a language, such as en');

const limits = z
  .strictObject({
    hopsPerMinute: wholeNumber(1, 100_000).optional().describe('Of one phone; RATE_LIMIT_PER_PHONE without it'),
    hopsPerSecond: wholeNumber(1, 100_000).default(500).describe('Of all phones, at each process'),
    atOnce: wholeNumber(1, 10_000).default(200).describe('Hops under way at one time, at each process'),
    sessions: wholeNumber(1, 10_000_000)
      .default(20_000)
      .describe('Live at one time, over all processes; counted once a second'),
  })
  .describe('Its share of the capacity; a single service has no limits');
export type TenantLimits = z.output<typeof limits>;

const service = z
  .strictObject({
    codes: z.array(codes).min(1).max(1000).optional().describe('The service codes that callers dial'),
    flow: folder.optional().describe('The folder of its flow; by default its own name'),
    name: z
      .string()
      .regex(/^[^\p{Control}]{1,40}$/u, 'must be 1 to 40 characters')
      .optional()
      .describe('Its name on screens; by default APP_NAME'),
    languages: z.array(language).min(1).optional().describe('The offered languages of the flow; by default all'),
    limits: limits.prefault({}),
    operatorTokenSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the token as 64 hex digits: printf %s "$TOKEN" | sha256sum')
      .optional()
      .describe('SHA-256 of a random token that opens the operator routes of this service alone'),
    defaultLanguage: language.optional().describe('For callers who have chosen none; by default that of the flow'),
  })
  .describe('A service: its codes and its flow');
export type TenantEntry = z.output<typeof service>;

const maxTenants = 100;

/** The schema of `services.yaml`. All values are text, as in the failsafe schema of YAML. */
export const tenantsFile = z
  .strictObject({
    services: z
      .record(z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, 'must be a name of small letters and digits'), service, {
        error: 'must be services by name',
      })
      .refine((services) => Object.keys(services).length <= maxTenants, `must be at most ${maxTenants} services`)
      .refine((services) => Object.keys(services).length > 0, 'must be one service at least')
      .describe(`The services; the one called ${defaultTenant} gets the codes that no other has`),
  })
  .describe('The services of the USSD gateway');
