import { z } from 'zod';

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();
const medianMs = z.number().min(0).nullable();

export const ussdMappedScreen = z
  .object({
    screen: z.string(),
    kind: z.enum(['menu', 'entry', 'closing']).describe('Answered by a key, by a text, or not at all'),
    title: z.string().describe('Its first line in the default language; unknown values appear as `{name}`'),
    visits: count.describe('Visits from another screen or by a dial'),
    dropOff: share.describe('Share of ended visits that were abandoned'),
    medianDwellMs: medianMs.describe('Median time from the screen to the next key'),
  })
  .describe('One screen of a flow');

export const ussdMappedWay = z
  .object({
    from: z.string(),
    to: z.string(),
    by: z.array(z.string()).describe('Keys; the name of a list, an entry or a refusal; or an operation and its result'),
    kind: z
      .enum(['written', 'stayed', 'exit', 'other'])
      .describe(
        '`written` on the screen; the others are listed if they occurred: `stayed` by an invalid input or another page, left by the global `exit`, ' +
          'or continued by `other` means, such as the offer to resume',
      ),
    people: count.describe('Number of transitions'),
    medianMs: medianMs.describe('Median time on the screen before'),
    dropOff: share.describe('Share of sessions that were abandoned after this transition, before another key'),
  })
  .describe('A transition between two screens');

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
    flows: z.array(ussdMappedFlow).describe('The flow of dials first, then earlier versions with running sessions'),
  })
  .describe('The served flows as graphs, without phone numbers and session identifiers');
export type UssdFlowMap = z.infer<typeof ussdFlowMap>;
