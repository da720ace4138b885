import type { Held } from './hold-dialogue.js';

/** Lines for a terminal: one for a successful dialogue, else one for each failed expectation. */
export function printHeld({ file, title, isGood, turns }: Held): string {
  const heading = `${isGood ? '✓' : '✗'} ${file}: ${title} (${sums(turns)})`;
  const problems = turns.flatMap(({ message, judged }) => {
    const wrong = judged.flatMap(({ line, words, problem }) =>
      problem === undefined ? [] : [`    line ${line}, ${words}: ${problem}`],
    );
    return wrong.length === 0 ? [] : [`  > ${message}`, ...wrong];
  });
  return [heading, ...problems].join('\n');
}

function sums(turns: Held['turns']): string {
  const answers = turns.flatMap(({ answer }) => answer ?? []);
  const seconds = answers.reduce((sum, answer) => sum + answer.seconds, 0);
  const tokens = answers.reduce((sum, answer) => sum + (answer.tokens ?? 0), 0);
  return `${turns.length} messages, ${seconds.toFixed(1)} s, ${tokens} tokens`;
}

/** A self-contained HTML page. */
export function htmlReport(all: readonly Held[]): string {
  const good = all.filter(({ isGood }) => isGood).length;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${good} of ${all.length} dialogues hold</title><style>${style}</style></head><body><main>
<h1>${good} of ${all.length} dialogues hold</h1>
${all.map(dialogueHtml).join('\n')}
</main></body></html>
`;
}

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui}main{max-width:50rem;margin:auto;padding:1rem}' +
  'summary{cursor:pointer}.bad{color:light-dark(#a40000,#ff9b9b)}.good{color:light-dark(#00632b,#8ee0a8)}' +
  'blockquote{margin:.5rem 0;white-space:pre-wrap;border-left:3px solid;padding-left:.75rem}';

function dialogueHtml({ file, title, isGood, turns }: Held): string {
  const heading = `<span class="${isGood ? 'good' : 'bad'}">${isGood ? '✓' : '✗'}</span> ${safe(title)}`;
  return `<details${isGood ? '' : ' open'}><summary>${heading} <small>${safe(file)}, ${sums(turns)}</small></summary>
${turns.map(turnHtml).join('\n')}
</details>`;
}

function turnHtml({ message, answer, judged }: Held['turns'][number]): string {
  const calls = (answer?.calls ?? []).map(
    ({ name, args }) => `<li><code>${safe(`${name} ${JSON.stringify(args)}`)}</code></li>`,
  );
  const lines = judged.map(({ line, words, problem }) =>
    problem === undefined
      ? `<li class="good">✓ ${safe(words)}</li>`
      : `<li class="bad">✗ line ${line}, ${safe(words)}: ${safe(problem)}</li>`,
  );
  return `<p><b>${safe(message)}</b></p><ul>${calls.join('')}</ul><blockquote>${safe(answer?.text ?? '')}</blockquote><ul>${lines.join('')}</ul>`;
}

function safe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
