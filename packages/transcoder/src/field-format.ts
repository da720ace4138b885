import type { DescField } from '@bufbuild/protobuf';

/** A text that is written in another way than it travels: of a string field itself, of a bytes field one character for each byte. */
interface TextFormat {
  /** What becomes the JSON string. The empty text, which stands for a field that is not sent, is to stay empty. */
  readonly printText: (text: string) => string;
}

/** Bytes that are not written in base64. */
interface JsonFormat {
  /** JSON on one line. */
  readonly printJson: (bytes: Buffer) => string;
  /** The JSON of no bytes. */
  readonly empty: string;
}

/** How the values of a string or bytes field are written, and read, where that is not as protobuf says. */
export type FieldFormat = (TextFormat | JsonFormat) & {
  /** What a value of a path or a query is in the spelling of protobuf; or what is wrong with it. */
  readonly readText?: (text: string) => string | { readonly problem: string };
};

/** The format of a field, `undefined` where protobuf's own is right. Asked once for each field. */
export type FormatOf = (field: DescField) => FieldFormat | undefined;

/** Remembers what was said of each field. */
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
