import { z } from 'zod';

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();
const medianMs = z.number().min(0).nullable();

export const ussdMappedScreen = z
  .object({
    screen: z.string(),
    kind: z.enum(['menu', 'entry', 'closing']).describe('Answered by a key, by a text, or by nothing'),
    title: z.string().describe('Its first line in the default language; unknown values appear as `{name}`'),
    visits: count.describe('Times it was reached from another screen or by a dial'),
    dropOff: share.describe('Share of ended visits that were abandoned on it'),
    medianDwellMs: medianMs.describe('From the screen to the next key'),
  })
  .describe('One screen of a flow');

export const ussdMappedWay = z
  .object({
    from: z.string(),
    to: z.string(),
    by: z
      .array(z.string())
      .describe('Keys, the name of a list, of an entry or of why it is refused, or an operation and its result'),
    kind: z
      .enum(['written', 'stayed', 'exit', 'other'])
      .describe(
        'Of those that are not written on the screen only ways that somebody took: `stayed` on it, by a wrong input or by turning a page; left by the `exit` ' +
          'that works everywhere; or went on by the `other` means of the service, such as the offer to resume',
      ),
    people: count.describe('Times it was taken'),
    medianMs: medianMs.describe('How long the screen was looked at before'),
    dropOff: share.describe('Sessions that were lost after it, before another key, of those that are over or went on'),
  })
  .describe('One way from a screen to the next');

export const ussdMappedFlow = z
  .object({
    id: z.string(),
    version: z.int(),
    start: z.string(),
    exit: z.string(),
    languages: z.array(z.string()),
    screens: z.array(ussdMappedScreen),
    ways: z.array(ussdMappedWay),
  })
  .describe('One version of a flow with its visits per transition');
export type UssdMappedFlow = z.infer<typeof ussdMappedFlow>;

export const ussdFlowMap = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    flows: z.array(ussdMappedFlow).describe('That of dials first, then earlier ones that sessions may be on'),
  })
  .describe('The flows in service as graphs. Holds neither phone numbers nor session identifiers');
export type UssdFlowMap = z.infer<typeof ussdFlowMap>;
