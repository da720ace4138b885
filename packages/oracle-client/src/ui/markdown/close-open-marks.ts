import type { MarkedToken, Token } from 'marked';
import type remend from 'remend';

let complete: typeof remend | undefined;
let loading: Promise<void> | undefined;

/** Loads `remend`, which streaming texts need. Until then marks are shown as written. Never rejects. */
export function loadOpenEnds(): Promise<void> {
  loading ??= import('remend').then(
    (loaded) => {
      complete = loaded.default;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** Only punctuation or a number: it may become a list, a rule, a heading or a table. */
const halfMark = /(?:^|\n)[ \t]*(?:[-=*+_#>~`|]+|\d{1,9}[.)]?)[ \t]*$/;
/** The head of a table, until the line below it is complete. */
const tableHead = /(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*[|:\- \t]*)?$/;
const tableRow = /(?:^|\n)[ \t]*\|[^\n]*$/;

/** A growing text without its ambiguous end: the next characters could change how that is rendered. */
export function withoutHalfMarks(text: string): string {
  const head = tableHead.exec(text);
  // A row below another one belongs to a known table, or to none.
  if (head !== null && !tableRow.test(text.slice(0, head.index))) return text.slice(0, head.index);
  return text.replace(halfMark, '');
}

/** Closes open marks in the last line of a growing block: a half link becomes its text, half bold becomes bold. */
export function closeOpenEnd(block: Token | undefined, hasMath: boolean): void {
  const token = block as MarkedToken | undefined;
  switch (token?.type) {
    case 'list':
      closeOpenEnd(token.items.at(-1)?.tokens.at(-1), hasMath);
      break;
    case 'blockquote':
      closeOpenEnd(token.tokens.at(-1), hasMath);
      break;
    case 'table':
      for (const cell of token.rows.at(-1) ?? []) cell.text = closed(cell.text, hasMath);
      break;
    case 'paragraph':
    case 'heading':
    case 'text':
      token.text = closed(token.text, hasMath);
      break;
    default:
  }
}

function closed(text: string, hasMath: boolean): string {
  if (complete === undefined) {
    void loadOpenEnds();
    return text;
  }
  return complete(text, {
    linkMode: 'text-only',
    katex: hasMath,
    // These handlers change complete texts, or remove visible text.
    comparisonOperators: false,
    singleTilde: false,
    setextHeadings: false,
    htmlTags: false,
  });
}
