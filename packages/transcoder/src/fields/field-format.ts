import type { DescField } from '@bufbuild/protobuf';

/** A text in another form than on the wire: a string field's text, or one character for each byte of a bytes field. */
interface TextFormat {
  /** Formats the JSON string. The empty text of an absent field must stay empty. */
  readonly printText: (text: string) => string;
}

/** Bytes that are not written in base64. */
interface JsonFormat {
  /** JSON on one line. */
  readonly printJson: (bytes: Buffer) => string;
  /** The JSON of no bytes. */
  readonly empty: string;
}

/** A custom format of a string or bytes field. */
export type FieldFormat = (TextFormat | JsonFormat) & {
  /** Parses a value of a path or query into protobuf's form, or reports its problem. */
  readonly readText?: (text: string) => string | { readonly problem: string };
};

/** The format of a field, `undefined` for protobuf's own. Called once per field. */
export type FormatOf = (field: DescField) => FieldFormat | undefined;

/** Caches the format of each field. */
export function rememberFormats(formatOf: FormatOf | undefined): FormatOf {
  if (formatOf === undefined) return () => undefined;
  const known = new WeakMap<DescField, { readonly format: FieldFormat | undefined }>();
  return (field) => {
    let entry = known.get(field);
    if (entry === undefined) {
      entry = { format: formatOf(field) };
      known.set(field, entry);
    }
    return entry.format;
  };
}
