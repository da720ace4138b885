import { parse } from 'yaml';
import { z } from 'zod';

/** Settings of connectors in one variable, in YAML or JSON. What is wrong with them is said by the names of their parts, and with nothing of a secret. */
export function settingsText<Shape extends z.ZodType>(shape: Shape) {
  return z
    .string()
    .max(65_536, 'must be at most 65536 characters')
    .transform((text, context): z.output<Shape> => {
      const read = shape.safeParse(parsed(text));
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues) {
        const says = [path.join('.'), message].filter((part) => part !== '').join(': ');
        context.issues.push({ code: 'custom', message: says, input: undefined });
      }
      return z.NEVER;
    });
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 10, prettyErrors: false });
  } catch {
    return undefined;
  }
}
