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

/** @throws {Error} naming the line that is neither title, dial, input, END nor screen. */
export function readTranscript(text: string): Transcript {
  let title = '';
  const read: { typed: string; lines: string[]; closes: boolean }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const last = read.at(-1);
    const typed = (last === undefined ? /^dial (.*)$/ : /^> ?(.*)$/).exec(line)?.[1];
    if (typed !== undefined) read.push({ typed, lines: [], closes: false });
    else if (last !== undefined && line.startsWith('|')) last.lines.push(line.slice(2));
    else if (last?.lines.length === 0 && line === 'END') last.closes = true;
    else if (last === undefined && line.startsWith('# ')) title = line.slice(2);
    else if (line.trim() !== '') throw new Error(`line ${index + 1} of the transcript is out of place: ${line}`);
  }
  if (read.length === 0) throw new Error('the transcript has no dial');
  return {
    title,
    exchanges: read.map(({ typed, lines, closes }) => ({ typed, message: lines.join('\n'), closes })),
  };
}
