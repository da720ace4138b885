import { jsonSchemaObject } from '@mlango/schemas/json-schema';
import { z } from 'zod';
import { answerSchemaProblem } from '../../models/tool-schemas/untrusted-schema.js';

/** Schema that answers are validated against. */
const answerSchema = jsonSchemaObject.superRefine((schema, context) => {
  const message = answerSchemaProblem(schema);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** `strict` always holds, because each answer is validated. */
const namedSchema = {
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .nullish(),
  description: z.string().max(1_024).nullish(),
  schema: answerSchema.nullish(),
  strict: z.boolean().nullish(),
};
const anyText = z.looseObject({ type: z.literal('text') });
const anyObject = z.looseObject({ type: z.literal('json_object') });

/** `response_format` of chat completions. */
export const responseFormat = z
  .discriminatedUnion('type', [
    anyText,
    anyObject,
    z.looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject(namedSchema) }),
  ])
  .nullish();

/** `text` of responses. */
export const responseText = z
  .looseObject({
    format: z
      .discriminatedUnion('type', [
        anyText,
        anyObject,
        z.looseObject({ type: z.literal('json_schema'), ...namedSchema }),
      ])
      .nullish(),
  })
  .nullish();

type NamedSchema = z.output<z.ZodObject<typeof namedSchema>>;
type Format = z.output<typeof responseFormat> | NonNullable<z.output<typeof responseText>>['format'];

/** Schema of an object answer; undefined for a text answer. Name and description are for the model. */
export function schemaOf(format: Format): Readonly<Record<string, unknown>> | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return {};
  const { name, description, schema }: NamedSchema =
    'json_schema' in format ? (format.json_schema as NamedSchema) : format;
  const words = { ...(name && { title: name }), ...(description && { description }) };
  return schema && Object.keys(schema).length > 0 ? { ...words, ...schema } : {};
}
