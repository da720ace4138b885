/** One exchange: what was typed, and the screen that answered. */
export interface Exchange {
  readonly typed: string;
  readonly message: string;
  readonly closes: boolean;
}

/** What somebody outside of the dialogue answers: a line such as `! pay → paid receipt=R-1 name="Amina Banda"`. */
export interface Answer {
  readonly operation: string;
  /** One of the operation's results, or `pending`. */
  readonly result: string;
  readonly facts: Readonly<Record<string, string>>;
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
  const blocks = exchanges.map(({ typed, dials = false, answers = [], message, closes }, index) => {
    const screen = message.split('\n').map((line) => `| ${line}`.trimEnd());
    const begun = index === 0 || dials ? `dial ${typed}` : `> ${typed}`;
    return [begun, ...answers.map(printAnswer), ...(closes ? ['END'] : []), ...screen].join('\n');
  });
  return `# ${title}\n\n${blocks.join('\n\n')}\n`;
}

function printAnswer({ operation, result, facts }: Answer): string {
  const told = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${/^[^\s"]+$/.test(value) ? value : `"${value}"`}`,
  );
  return `! ${operation} → ${result}${told.join('')}`;
}
