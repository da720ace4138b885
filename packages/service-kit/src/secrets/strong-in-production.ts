import { z } from 'zod';

interface Judgement {
  readonly weaknessOf: (value: unknown) => string | undefined;
  readonly remedy: string;
}

const judgements = z.registry<Judgement>();

/**
 * The field, whose value production takes only if it has no weakness. Development takes any, so that trying things out needs no care.
 *
 * @param weaknessOf why the value can be guessed, after "its name: …", in words that hold nothing of it; undefined if it cannot
 * @param remedy what to do about it
 */
export function strongInProduction<Field extends z.ZodType>(
  field: Field,
  weaknessOf: (value: NonNullable<z.output<Field>>) => string | undefined,
  remedy = '`openssl rand -hex 32` makes one that is not',
): Field {
  // Only values that the field itself has read are judged.
  judgements.add(field, { weaknessOf: weaknessOf as Judgement['weaknessOf'], remedy });
  return field;
}

/** What is too weak for production among values that are well-formed, in words an operator can act on. */
export function weakSecrets(
  shape: z.ZodRawShape,
  values: Readonly<Record<string, unknown>>,
): { readonly variable: string; readonly message: string }[] {
  return Object.entries(shape).flatMap(([variable, field]) => {
    const judgement = judgements.get(field);
    const value = values[variable];
    const weakness = value === undefined ? undefined : judgement?.weaknessOf(value);
    if (judgement === undefined || weakness === undefined) return [];
    return [{ variable, message: `${weakness}, which is too weak for production: ${judgement.remedy}` }];
  });
}
