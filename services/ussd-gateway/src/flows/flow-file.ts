import { z } from 'zod';
import { connectorSettings } from '../connectors/registry.js';
import { isTimeZone, weekdays } from '../engine/opening-hours.js';
import { wholeNumber, yesOrNo } from '../entries/entry-kind.js';
import { entryKinds } from '../entries/entry-kinds.js';

const name = z.string().regex(/^[A-Za-z][\w-]{0,59}$/, 'must be a name of letters and digits');
/** A language code, optionally with a country. */
export const languageForm = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
const language = z.string().regex(languageForm, 'must be a language, such as en');
const screenName = name.describe('The name of a screen');

/** Key of a text in `texts/`, or the text itself in each language. */
const text = z
  .union([name, z.record(language, z.string().min(1))], {
    error: 'must be the key of a text, or the text in each language, such as { en: Pay, sw: Lipa }',
  })
  .describe('The key of a text in texts/, or the text itself in each language');

/** Value of a choice, or a network, which some aggregators name by a number. */
const chosen = z.string().regex(/^[A-Za-z0-9][\w-]{0,59}$/, 'must be a name of letters and digits');

const line = z
  .union([text, z.strictObject({ chosenBy: name, texts: z.record(chosen, text) })], {
    error: 'must be a text, or { chosenBy: …, texts: { … } }',
  })
  .describe("A text, or the one that belongs to an earlier choice, or by `network` to the caller's network");

const landing = z.strictObject({
  to: screenName.optional(),
  reason: text.optional().describe('The first line of the screen it leads to, or of this one'),
});
export type LandingFile = z.output<typeof landing> & { readonly message?: string | undefined };

const use = {
  do: name.optional().describe('An operation: one of accounts, or of `operations`'),
  with: z.record(name, z.string()).optional().describe('Values that the key sets, such as a language'),
  results: z
    .record(
      name,
      landing.extend({
        message: name.optional().describe('An operation of the connector message, which this outcome of an act sends'),
      }),
    )
    .optional()
    .describe('Where each result of the operation leads'),
};

const moves = ['to', 'do', 'refuse', 'resumes', 'looksAgain'] as const;

const time = z.string().regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time from 00:00 to 23:59, such as 08:30');

const hours = z
  .strictObject({
    from: time.describe('When the option opens'),
    to: time.describe('When it closes; before `from` it is on the next day'),
    zone: z
      .string()
      .refine(isTimeZone, 'is not a known time zone: use an IANA name, such as Africa/Nairobi')
      .describe('An IANA time zone, such as Africa/Nairobi'),
    days: z
      .array(z.enum(weekdays, { error: `must be one of ${weekdays.join(', ')}` }))
      .min(1)
      .optional()
      .describe('The days on which it opens; every day without it'),
  })
  .superRefine(({ from, to }, context) => {
    if (from === to) context.addIssue({ code: 'custom', path: ['to'], message: 'must differ from `from`' });
  })
  .describe('When the option can be chosen; outside of them the screen is repeated with the text closedNow');

const option = z
  .strictObject({
    key: z
      .string()
      .meta({ type: ['string', 'integer'] })
      .describe('What is typed: one or two digits, or *'),
    label: text.optional().describe('Without one it works and is not printed'),
    to: screenName.optional(),
    choose: z.record(name, name).optional().describe('What is remembered of this choice, such as { topic: prices }'),
    reason: text.optional(),
    refuse: text.optional().describe('Stay, with a reason'),
    resumes: yesOrNo.optional(),
    looksAgain: yesOrNo.optional(),
    hours: hours.optional(),
    ...use,
  })
  .superRefine((written, context) => {
    const does = moves.filter((move) => written[move] !== undefined);
    if (does.length !== 1) context.addIssue(`key ${written.key} must have one of ${moves.join(', ')}`);
    if (written.hours !== undefined && (written.key === '*' || (written.to ?? written.do) === undefined))
      context.addIssue({
        code: 'custom',
        path: ['hours'],
        message: 'only a key with `to` or `do` has hours, and * has none',
      });
    if (written.do !== undefined && written.results === undefined) context.addIssue(`key ${written.key} needs results`);
    if (Object.keys(written.choose ?? {}).length > 1) context.addIssue('only one thing is chosen by one key');
  });
export type OptionFile = z.output<typeof option>;

const fieldsAlone = z.string().regex(/^[^A-Za-z{}\n]*(?:\{\w+\}[^A-Za-z{}\n]*)+$/);

const list = z
  .strictObject({
    from: name.describe('A list that an operation gave before'),
    label: z
      .union([name, z.record(language, z.string().min(1)), fieldsAlone], {
        error:
          "must be fields without words, such as '{name} {amount}', the key of a text, or the text in each language",
      })
      .describe("Printed for each item: '{name} {amount}', or as any text if it has words"),
    to: screenName.optional(),
    reason: text.optional(),
    ...use,
  })
  .superRefine((written, context) => {
    if ((written.to === undefined) === (written.do === undefined)) context.addIssue('must have one of to, do');
    if (written.do !== undefined && written.results === undefined) context.addIssue('needs results');
  })
  .describe('An option for each item of a list, with the keys 1, 2, …; the fields of the chosen one are facts');
export type ListFile = z.output<typeof list>;

const refusal = z.union([text, landing], { error: 'must be a text, or { to: …, reason: … }' });

const entries = Object.entries(entryKinds).map(([kind, { settings, ...how }]) =>
  z.strictObject({
    kind: z.literal(kind),
    ...('secret' in how ? {} : { name: name.describe('The value is known under this name') }),
    ...settings,
    refusals: z.record(name, refusal).describe(`Why it is refused: ${how.refusals.join(', ')}`),
    to: screenName.optional(),
    ...use,
  }),
);
/** An entry of any kind. Its kind validates its own settings. */
export interface EntryFile extends z.output<z.ZodObject<typeof use>> {
  readonly kind: string;
  readonly name?: string;
  readonly refusals: Readonly<Record<string, z.output<typeof refusal>>>;
  readonly to?: string;
}

const entry = z
  .discriminatedUnion('kind', entries as unknown as [z.ZodType<EntryFile> & z.core.$ZodTypeDiscriminable], {
    error: `"kind" must be one of ${Object.keys(entryKinds).join(', ')}`,
  })
  .superRefine((written, context) => {
    if ((written.to === undefined) === (written.do === undefined)) context.addIssue('must have one of to, do');
    if (written.do !== undefined && written.results === undefined) context.addIssue('needs results');
  });

const options = z.union([z.array(option), list]);

const screen = z
  .strictObject({
    lines: z.array(line).min(1),
    options: options.default([]),
    navigation: z.array(option).default([]).describe('The ways back and out: every page prints them'),
    back: screenName.optional().describe('The same as { key: 0, label: back, to: … } in navigation'),
    entry: entry.optional().describe('What the subscriber types; without it, the screen is a menu'),
    authenticated: yesOrNo.default(false).describe('Seen by a subscriber who is logged in'),
    closes: yesOrNo.default(false).describe('The last screen of a session'),
  })
  .superRefine(({ options: offered, entry: typed }, context) => {
    if (typed !== undefined && !Array.isArray(offered))
      context.addIssue({
        code: 'custom',
        path: ['options'],
        message: 'a screen with an entry lists nothing: its text could be a key',
      });
  });
export type ScreenFile = z.output<typeof screen>;

const operation = z.discriminatedUnion('connector', connectorSettings, {
  error: `"connector" must be one of ${connectorSettings.map(({ shape }) => shape.connector.value).join(', ')}`,
});

/** Schema of `flow.yaml`. All values are texts, as in YAML's failsafe schema. */
export const flowFile = z
  .strictObject({
    version: wholeNumber(1, 1_000_000).describe(
      'Changes with every change that a session in flight could stumble over',
    ),
    start: screenName.describe('The menu of a fresh dial'),
    exit: screenName.describe('The closing screen that * leads to from everywhere'),
    resumeOffer: screenName.optional().describe('The menu that a dial gets after a session was lost'),
    interrupted: text.optional().describe('Shown if values of a lost session have to be typed again'),
    working: screenName.optional().describe('The menu shown while an act is under way'),
    defaultLanguage: language,
    operations: z.record(name, operation).default({}),
    screens: z.record(screenName, screen),
  })
  .describe('A flow of the USSD gateway');
export type FlowFile = z.output<typeof flowFile>;

/** Schema of `texts/<language>.yaml`. */
export const textsFile = z.record(name, z.string({ error: 'must be a text' }).min(1, 'must not be empty'), {
  error: 'must be texts by key',
});
