import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedFlows } from '../../src/flows/read-flow.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface GuideStep {
  /** The affected file, in the folder of flows. */
  readonly file: string;
  /** A whole file, or lines to be added to one. */
  readonly kind: 'file' | 'diff';
  readonly text: string;
}

/** Every file and change in a guide, in order. A block belongs to the last file named at the start of a line above it. */
export function readGuide(name: string): GuideStep[] {
  const guide = readFileSync(join(root, 'docs/guides', name), 'utf8');
  const steps: GuideStep[] = [];
  let file = '';
  for (const [, named, language, text = ''] of guide.matchAll(
    /(?:`([\w./-]+\.(?:yaml|json|txt))`|```(diff|json|txt)\n(.*?)```)/gs,
  )) {
    if (named !== undefined) file = named;
    else steps.push({ file, kind: language === 'diff' ? 'diff' : 'file', text });
  }
  return steps;
}

/** A copy of the flows of this service, to be changed. */
export class FlowsCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'ussd-guide-'));

  constructor() {
    cpSync(shippedFlows, this.folder, { recursive: true });
  }

  /** @throws {Error} for a change with a missing or ambiguous place. */
  follow({ file, kind, text }: GuideStep): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, kind === 'file' ? text : changed(file, readFileSync(path, 'utf8'), text));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function changed(file: string, before: string, diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const without = (sign: string) =>
    lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('');
  const parts = before.split(`\n${without('+')}`);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places for\n${diff}`);
  return parts.join(`\n${without('-')}`);
}
