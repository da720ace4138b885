import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const guides = fileURLToPath(new URL('../../../../docs/guides/', import.meta.url));

export interface ConsoleStep {
  /** As typed, with all its lines. */
  readonly command: string;
  /** Its output; `…` matches parts that differ each time. */
  readonly printed: string;
}

/**
 * Every command in the `console` blocks of a guide, in order: lines after `$ `, continuation lines after `\`, and the
 * lines in `<<EOF` or `<<'EOF'`.
 */
export function readConsole(name: string): ConsoleStep[] {
  return blocksOf(name, 'console').flatMap((block) => block.split(/^\$ /m).slice(1).map(stepOf));
}

/** Commands that keep running, in the `sh` blocks of a guide. */
export function readPrograms(name: string): string[] {
  return blocksOf(name, 'sh').map((program) => program.trim());
}

function blocksOf(name: string, language: string): string[] {
  const guide = readFileSync(`${guides}${name}`, 'utf8');
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

function stepOf(text: string): ConsoleStep {
  const command = /^.*<<'?EOF'?\n[\s\S]*?^EOF$|^(?:.*\\\n)*.*$/m.exec(text)?.[0] ?? '';
  return { command, printed: text.slice(command.length).trim() };
}

/** Whether the output of a command matches the guide. */
export function isPrinted(output: string, printed: string): boolean {
  const parts = printed.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(output.trim());
}

/** A terminal in a folder: variables of one command are available to the next. */
export class Terminal {
  readonly #shell;
  #output = '';

  constructor(folder: string) {
    this.#shell = spawn('bash', ['--norc'], { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#shell.emit('printed');
    });
    this.#shell.stdin.write('exec 2>&1\n');
  }

  /** Resolves with the output of a command. */
  async run(command: string): Promise<string> {
    const end = `end-of-${Math.random()}`;
    this.#output = '';
    this.#shell.stdin.write(`${command}\nprintf %s ${end}\n`);
    while (!this.#output.endsWith(end)) await once(this.#shell, 'printed');
    return this.#output.slice(0, -end.length);
  }

  close(): void {
    this.#shell.kill();
  }
}
