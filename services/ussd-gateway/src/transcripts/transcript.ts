import type { Lists } from '../engine/declarations.js';

/** A screen, and the SMS that comes with it. */
export interface Shown {
  readonly message: string;
  readonly closes: boolean;
  readonly sms?: string | undefined;
}

/** One exchange: an input, and the screen after it. */
export interface Exchange extends Shown {
  readonly typed: string;
}

/** A recorded session; its first exchange is a dial. */
export type RecordedExchanges = readonly (Exchange & { readonly dials: boolean })[];

/**
 * An answer of a back end: a line such as `! pay → paid receipt=R-1 name="Amina Banda"`, and a line for each item of a list, such as `!
 * bills[1] name=Water amount=250`.
 */
export interface Answer {
  readonly operation: string;
  /** A result of the operation, or `pending`. */
  readonly result: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly lists?: Lists | undefined;
}

/** A session as a text that can be read without code. The input of a dial is the service code. */
export interface Transcript {
  readonly title: string;
  readonly exchanges: readonly (Exchange & {
    /** Always true for the first exchange. */
    readonly dials?: boolean;
    readonly answers?: readonly Answer[];
    /** The time at which it is typed, in ms since 1970; the one before it without one. */
    readonly atMs?: number | undefined;
  })[];
}

export function printTranscript({ title, exchanges }: Transcript): string {
  const blocks = exchanges.map(({ typed, dials = false, answers = [], atMs, ...shown }, index) => {
    const head = index === 0 || dials ? `dial ${typed}` : `> ${typed}`;
    const at = atMs === undefined ? [] : [`at ${new Date(atMs).toISOString()}`];
    return [...at, head, ...answers.flatMap(printAnswer), ...printShown(shown)].join('\n');
  });
  return `# ${title}\n\n${blocks.join('\n\n')}\n`;
}

/** The lines of a screen, and of its SMS. */
function printShown({ message, closes, sms }: Shown): string[] {
  const lines = (begin: string, text: string) => text.split('\n').map((line) => `${begin} ${line}`.trimEnd());
  return [...(closes ? ['END'] : []), ...lines('|', message), ...(sms === undefined ? [] : lines('sms |', sms))];
}

function printAnswer({ operation, result, facts, lists = {} }: Answer): string[] {
  const items = Object.entries(lists).flatMap(([list, listed]) =>
    listed.map((fields, index) => `! ${list}[${index + 1}]${printFacts(fields)}`),
  );
  return [`! ${operation} → ${result}${printFacts(facts)}`, ...items];
}

function printFacts(facts: Answer['facts']): string {
  const printed = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${/^[^\s"]+$/.test(value) ? value : `"${value}"`}`,
  );
  return printed.join('');
}
