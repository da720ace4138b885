/** One exchange: what was typed, and the screen that answered. */
export interface Exchange {
  readonly typed: string;
  readonly message: string;
  readonly closes: boolean;
}

/** A dialogue from the dial on, as a text that reads without knowing any code. The first `typed` is the service code. */
export interface Transcript {
  readonly title: string;
  readonly exchanges: readonly Exchange[];
}

export function printTranscript({ title, exchanges }: Transcript): string {
  const blocks = exchanges.map(({ typed, message, closes }, index) => {
    const screen = message.split('\n').map((line) => `| ${line}`.trimEnd());
    return [index === 0 ? `dial ${typed}` : `> ${typed}`, ...(closes ? ['END'] : []), ...screen].join('\n');
  });
  return `# ${title}\n\n${blocks.join('\n\n')}\n`;
}
