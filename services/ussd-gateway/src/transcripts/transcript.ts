import type { Lists } from '../engine/declarations.js';

/** What a phone shows: a screen, and the SMS that comes with it. */
export interface Shown {
  readonly message: string;
  readonly closes: boolean;
  readonly sms?: string | undefined;
}

/** One exchange: what was typed, and what the phone showed then. */
export interface Exchange extends Shown {
  readonly typed: string;
}

/** A dialogue that was had; its first exchange is a dial. */
export type Dialogue = readonly (Exchange & { readonly dials: boolean })[];

/**
 * What somebody outside of the dialogue answers: a line such as `! pay → paid receipt=R-1 name="Amina Banda"`, and a line for each item of a list,
 * such as `! bills[1] name=Water amount=250`.
 */
export interface Answer {
  readonly operation: string;
  /** One of the operation's results, or `pending`. */
  readonly result: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly lists?: Lists | undefined;
}

/** A dialogue from the dial on, as a text that reads without knowing any code. What is typed for a dial is the service code. */
export interface Transcript {
  readonly title: string;
  readonly exchanges: readonly (Exchange & {
    /** The first one does in any case. */
    readonly dials?: boolean;
    readonly answers?: readonly Answer[];
  })[];
}

export function printTranscript({ title, exchanges }: Transcript): string {
  const blocks = exchanges.map(({ typed, dials = false, answers = [], ...shown }, index) => {
    const begun = index === 0 || dials ? `dial ${typed}` : `> ${typed}`;
    return [begun, ...answers.flatMap(printAnswer), ...printShown(shown)].join('\n');
  });
  return `# ${title}\n\n${blocks.join('\n\n')}\n`;
}

/** The lines of a screen, and of the SMS with it. */
function printShown({ message, closes, sms }: Shown): string[] {
  const lines = (begin: string, text: string) => text.split('\n').map((line) => `${begin} ${line}`.trimEnd());
  return [...(closes ? ['END'] : []), ...lines('|', message), ...(sms === undefined ? [] : lines('sms |', sms))];
}

function printAnswer({ operation, result, facts, lists = {} }: Answer): string[] {
  const items = Object.entries(lists).flatMap(([list, given]) =>
    given.map((fields, index) => `! ${list}[${index + 1}]${printFacts(fields)}`),
  );
  return [`! ${operation} → ${result}${printFacts(facts)}`, ...items];
}

function printFacts(facts: Answer['facts']): string {
  const told = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${/^[^\s"]+$/.test(value) ? value : `"${value}"`}`,
  );
  return told.join('');
}
