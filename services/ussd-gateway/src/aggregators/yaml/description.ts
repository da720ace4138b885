import { z } from 'zod';
import { yesOrNo } from '../../entries/entry-kind.js';

// Schema of `<id>.aggregator.yaml`. Every scalar is a text, as in YAML's failsafe schema.

const field = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,59}$/, 'must be the name of a field of the request, such as MSISDN')
  .describe('The name of a field of the request; its case does not matter');

/** A value that an editor may read as a number or a boolean. */
const scalar = z
  .string()
  .max(100, 'must be at most 100 characters')
  .meta({ type: ['string', 'number', 'boolean'] });

const markValue = z
  .string()
  .regex(/^[\w. -]{1,60}\+?$/, 'must be a value such as true or initiation, or a least number such as 29+')
  .transform((value) => value.toLowerCase())
  .meta({ type: ['string', 'number', 'boolean'] });
const markValues = (description: string) => z.array(markValue).min(1).max(20).describe(description);

const headerName = () => z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/, 'must be the name of a header');
const headerValue = () => z.string().regex(/^[\x21-\x7e]{1,60}$/);

const variable = (end: 'SECRET' | 'CIDRS') =>
  z
    .string()
    .regex(new RegExp(`^AGGREGATOR_[A-Z0-9_]{1,40}_${end}$`), `must be a variable AGGREGATOR_<NAME>_${end}`)
    .meta({ pattern: `^AGGREGATOR_[A-Z0-9_]{1,40}_${end}$` });

/** A field by its name only, or with details. */
const orBlock = <Block extends z.ZodType<{ field: string }>>(block: Block, error: string) =>
  z
    .union([field, block], { error })
    .transform((read) => (typeof read === 'string' ? { field: read } : read) as z.output<Block>);

const formPattern = /^\*(?:[0-9]+\*)*\{\}#$/;

const request = z
  .strictObject({
    session: orBlock(
      z.strictObject({
        field,
        optional: yesOrNo.optional().describe('Without an id a phone has one session at a time'),
        per: field.optional().describe('Without an id a phone has one session for each value of this field'),
      }),
      'must be a field, or { field: …, optional: true, per: … }',
    ).describe('The id of the session'),
    phone: field.describe('The number of the subscriber, international, with or without +'),
    input: field.describe('What the subscriber typed; on the dial what was dialled, or nothing'),
    serviceCode: orBlock(
      z.strictObject({
        field,
        form: z
          .string()
          .regex(formPattern, "must be a service code with {} for its last group, such as '*203*{}#'")
          .meta({ pattern: formPattern.source })
          .optional()
          .describe('Where the field has the last group alone'),
        shared: yesOrNo.optional().describe('The input begins with the rest of a shared code: 33*1 behind *415#'),
      }),
      "must be a field, or { field: …, form: '*203*{}#' }, or { field: …, shared: true }",
    )
      .optional()
      .describe('The service code. Without it a dial begins with the longest code that the settings name'),
    shortcut: field.optional().describe('What was dialled behind the service code, where a field has it'),
    network: orBlock(
      z.strictObject({
        field,
        names: z.record(scalar, scalar).optional().describe('The name of each value, such as { 3: MTN }'),
      }),
      'must be a field, or { field: …, names: { … } }',
    )
      .optional()
      .describe("The caller's network"),
    sequence: field.optional().describe('The number of a request in its session: the same number is a retry'),
    kind: z
      .strictObject({
        field,
        dial: markValues('Values that begin a session'),
        input: markValues('Values that bring an input'),
        close: markValues('Values that end a session').optional(),
      })
      .optional()
      .describe(
        'The values that mark a dial, an input and a close. Without it an input that has the form of a service code dials',
      ),
    close: z
      .strictObject({ present: z.array(field).max(10).describe('One of these fields, and no input') })
      .optional()
      .describe('How a request that ends a session is recognised by its fields'),
    others: z
      .record(field, z.enum(['required', 'optional'], { error: 'must be required or optional' }))
      .optional()
      .describe('Fields that go back in the reply, or that a session is named by'),
  })
  .describe('The fields of a request');

const ways = { continue: scalar, close: scalar };

const jsonField = z
  .union(
    [
      z.enum(['message']),
      z.strictObject({ echo: field }),
      z.strictObject({ ...ways, as: z.enum(['text']).optional().describe('Text also where it looks like a number') }),
    ],
    { error: 'must be message, { echo: FIELD }, or { continue: …, close: … }' },
  )
  .describe(
    'The message, a field of the request, or a value for a session that continues and one for a session that closes',
  );

const reply = z
  .strictObject({
    prefix: z.strictObject(ways).optional().describe("Text before each reply, such as 'CON ' and 'END '"),
    header: z
      .strictObject({
        name: headerName(),
        continue: headerValue(),
        close: headerValue(),
      })
      .optional()
      .describe('A header that shows whether the session continues'),
    json: z
      .record(z.string().regex(/^[A-Za-z][\w.-]{0,59}$/, 'must be the name of a field of the reply'), jsonField)
      .optional()
      .describe('The fields of a JSON reply; a text without it'),
  })
  .describe('How a reply looks, and how it shows whether the session continues');

const verify = z
  .strictObject({
    secret: variable('SECRET').optional().describe('The environment variable that has the secret'),
    header: headerName()
      .optional()
      .describe('The header that presents the secret; X-Aggregator-Secret, or ?secret=, without it'),
    parameter: field.optional().describe('The parameter of the address that presents the secret'),
    addresses: variable('CIDRS').optional().describe('The environment variable that has the addresses'),
  })
  .describe('How callers are verified. The file names variables and never has a secret');

/** Content of an `<id>.aggregator.yaml`. */
export const aggregatorFile = z
  .strictObject({
    name: z
      .string()
      .regex(/^[^\p{Control}]{1,40}$/u, 'must be 1 to 40 characters')
      .describe('Its name for operators'),
    method: z
      .enum(['GET', 'POST', 'PUT'], { error: 'must be GET, POST or PUT' })
      .describe('A GET is read from its query'),
    path: z
      .string()
      .regex(/^(?:\/[A-Za-z0-9_-]+)+$/, 'must be a path of letters and digits without a slash at its end')
      .optional()
      .describe('/api/ussd/<id> without it; a path below that with it'),
    body: z
      .enum(['json', 'form'], { error: 'must be json or form' })
      .optional()
      .describe('How a POST or PUT is written: json, or form, which takes JSON too'),
    text: z
      .enum(['latest', 'accumulated'], { error: 'must be latest or accumulated' })
      .describe('Whether an input comes alone, or with all that was typed before'),
    request,
    reply,
    verify,
    example: z
      .record(field, scalar)
      .describe('A request that begins a session, for the API description; tried at start'),
  })
  .describe('An aggregator of the USSD gateway');

export type Description = z.output<typeof aggregatorFile>;
