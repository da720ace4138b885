import { parse } from 'yaml';
import { z } from 'zod';

/** Settings of connectors in one variable, in YAML or JSON. Problems name the fields and contain no secret. */
export function settingsText<Shape extends z.ZodType>(shape: Shape) {
  return z
    .string()
    .max(65_536, 'must be at most 65536 characters')
    .transform((text, context): z.output<Shape> => {
      const read = shape.safeParse(parsed(text));
      if (read.success) return read.data;
      for (const issue of read.error.issues)
        context.issues.push({ code: 'custom', message: problemIn(issue), input: undefined });
      return z.NEVER;
    });
}

function problemIn({ path, message, ...issue }: z.core.$ZodIssue): string {
  const at = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => [...path, key].join('.')).join(', ');
    return `${names}: is no setting; check how it is written`;
  }
  const isMissing = issue.code === 'invalid_type' && message.endsWith('received undefined');
  if (isMissing) return `${at}: is missing`;
  return at === '' || message.startsWith(`${at} `) ? message : `${at}: ${message}`;
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 10, prettyErrors: false });
  } catch {
    return undefined;
  }
}
