import type { Transcript } from './transcript.js';

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
