import { z } from 'zod';
import { phoneNumberPattern } from './session.js';

export const ussdSimulatorSettings = z.object({
  appName: z.string(),
  languages: z.array(z.string()),
  aggregators: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type UssdSimulatorSettings = z.infer<typeof ussdSimulatorSettings>;

/** The position of a session; without a flow the session is closed or unknown. */
export const ussdSimulatorPlace = z.object({
  flow: z.object({ id: z.string(), version: z.int() }).optional(),
  screen: z.string().optional(),
});
export type UssdSimulatorPlace = z.infer<typeof ussdSimulatorPlace>;

export const ussdPrintedScreen = z
  .object({
    screen: z.string(),
    languages: z.array(
      z.object({
        language: z.string(),
        pages: z
          .array(z.string())
          .describe('The source text for each choice it depends on; unknown values appear as `{name}`'),
        longest: z.string().describe('The page that takes the most room when it is filled with the longest values'),
      }),
    ),
  })
  .describe('A screen in every language of its flow');
export type UssdPrintedScreen = z.infer<typeof ussdPrintedScreen>;

/** A dialogue on a phone, with its dials. */
export const ussdRecording = z.object({
  title: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{Control}*$/u),
  phoneNumber: z.string().regex(phoneNumberPattern).describe('The phone it was had on'),
  serviceCode: z.string().max(100).describe('What was dialled'),
  exchanges: z
    .array(
      z.object({ typed: z.string().max(182), dials: z.boolean(), message: z.string().max(1000), closes: z.boolean() }),
    )
    .min(1)
    .max(100),
});
export type UssdRecording = z.infer<typeof ussdRecording>;

/** The text that `ussd test` plays; without one, why the dialogue cannot be replayed. */
export const ussdWrittenTranscript = z.object({ text: z.string().optional(), says: z.string().optional() });
export type UssdWrittenTranscript = z.infer<typeof ussdWrittenTranscript>;
