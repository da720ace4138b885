import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** Text of a third party that tries to instruct a model, and its source. Each is a file of `hostile-documents`. */
const hostileDocument = z.strictObject({
  about: z.string(),
  by: z.enum([
    ...(['file', 'files', 'pdf', 'filename', 'page', 'error', 'mcp', 'mcp-description', 'mcp-schema'] as const),
    ...(['claim', 'tab', 'tab-description', 'memory', 'summary'] as const),
  ]),
  /** A word that only this document contains. */
  sign: z.string(),
  text: z.union([z.string(), z.array(z.string())]),
  /** Text that is invisible to readers. */
  hidden: z.string().optional(),
  /** Tool calls that the document requests. */
  asks: z.array(z.strictObject({ tool: z.string(), args: z.record(z.string(), z.unknown()) })).min(1),
});

export type HostileDocument = z.output<typeof hostileDocument> & { readonly name: string };

const folder = new URL('hostile-documents/', import.meta.url);

export const hostileDocuments: readonly HostileDocument[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .toSorted()
  .map((file) => ({
    name: file.slice(0, -'.json'.length),
    ...hostileDocument.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
  }));

/** The whole document as one text. */
export const textOf = ({ text }: HostileDocument): string => [text].flat().join('\n');
