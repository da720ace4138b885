import { z } from 'zod';
import { ussdServiceQuery } from './session.js';

/** Maximum hours of one report; older counts are dropped. */
export const ussdAnalyticsMaxHours = 168;

export const ussdAnalyticsQuery = z
  .object({
    hours: z.coerce
      .number()
      .int()
      .min(1)
      .max(ussdAnalyticsMaxHours)
      .default(24)
      .describe('Number of hours to report, including the current one'),
    service: ussdServiceQuery.shape.service,
  })
  .describe('Period of the report');

const count = z.int().min(0);
const medianMs = z.number().min(0).nullable();

/** Outcome of a hop, counted on the screen of the input (a dial: on the screen shown). */
export const ussdHopOutcomes = [
  'dialled',
  'moved',
  'stayed',
  'refused',
  'ended',
  'replayed',
  'repeated',
  'expired',
] as const;
export type UssdHopOutcome = (typeof ussdHopOutcomes)[number];

export const ussdScreenAnalytics = z
  .object({
    flow: z.string(),
    screen: z.string(),
    visits: count.describe('Visits from another screen or by a dial'),
    shareOfSessions: z.number().min(0).nullable().describe('Visits per started session; above 1 if callers return'),
    outcomes: z.record(z.enum(ussdHopOutcomes), count).describe('Outcomes of hops on this screen'),
    next: z.array(z.object({ screen: z.string(), count })).describe('Next screens, most frequent first'),
    abandoned: count.describe('Sessions that expired or were hung up on this screen'),
    open: count.describe('Sessions without a known end on this screen'),
    dropOff: z.number().min(0).max(1).nullable().describe('Share of ended visits that were abandoned'),
    medianDwellMs: medianMs.describe('Median time from the screen to the next key'),
    medianAnswerMs: medianMs.describe('Median time from the key to the reply'),
  })
  .describe('One screen of a flow');

export const ussdAnalytics = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    sessions: z.object({
      started: count,
      ended: count.describe('Reached a closing screen'),
      abandoned: count,
      open: count,
    }),
    hops: count,
    failedHops: count.describe('Hops that failed in the service: timeout, overload, or an unavailable back end'),
    uncounted: count.describe('Counts that were dropped because they could not be stored in time'),
    screens: z.array(ussdScreenAnalytics).describe('The most visited first'),
  })
  .describe('Visits and transitions of screens, without phone numbers and session identifiers');
export type UssdAnalytics = z.infer<typeof ussdAnalytics>;

export const ussdOutcomesToReview = z
  .object({
    outcomes: z.array(
      z.object({
        intent: z.string().describe('Idempotency key, as in the log and the webhook'),
        webhook: z.string().optional().describe('Absent for a message'),
        endedAt: z.iso.datetime(),
        result: z.string().meta({ example: 'paid' }),
        reason: z.string().optional().describe('Why the provider of messages refused it, in its own word'),
        contradictions: z.array(z.string()).describe('Results that were reported after it; `result` stands'),
      }),
    ),
  })
  .describe('The latest hundred outcomes that an operator has to look at');
