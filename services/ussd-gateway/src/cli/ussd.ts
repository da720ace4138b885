/** A handset in the terminal, on a gateway that runs: `pnpm ussd`. See README.md, "A handset in the terminal". */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Handset, type SendHop } from '../terminal/handset.js';
import { maskSecrets } from '../terminal/mask-secrets.js';
import { printTranscript } from '../terminal/transcript.js';

const usage = `pnpm ussd [--url http://127.0.0.1:3000] [--phone +260971230567] [--code '*384#'] [--record "Title"] [--flow default]

Type what you would type on the phone; "hang up" or Ctrl-D ends. --record writes the dialogue to the flow's transcripts.`;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    phone: { type: 'string', default: '+260971230567' },
    code: { type: 'string', default: '*384#' },
    record: { type: 'string' },
    flow: { type: 'string', default: 'default' },
    help: { type: 'boolean', default: false },
  },
});

const send: SendHop = async (hop) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${options.url}/api/ussd`, { method: 'POST', headers, body: JSON.stringify(hop) });
  return reply.text();
};

async function talk(): Promise<void> {
  const session = { sessionId: `terminal-${randomUUID()}`, phoneNumber: options.phone, serviceCode: options.code };
  const handset = new Handset(send, session);
  const first = await handset.dial();
  console.log(`${first.message}\n`);
  if (!first.closes) await converse(handset);
  if (options.record !== undefined) console.log(`Recorded: ${record(options.record, handset)}`);
}

async function converse(handset: Handset): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  try {
    terminal.prompt();
    for await (const line of terminal) {
      if (line.trim() === 'hang up') return;
      const { message, closes } = await handset.type(line);
      console.log(`\n${message}\n`);
      if (closes) return;
      terminal.prompt();
    }
  } finally {
    terminal.close();
  }
}

function record(title: string, handset: Handset): string {
  const name =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'dialogue';
  // Into the sources, also when the built program runs.
  const folder = new URL(`../../src/flows/${options.flow}/transcripts/`, import.meta.url);
  const file = join(fileURLToPath(folder), `${name}.txt`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, printTranscript({ title, exchanges: maskSecrets(handset.exchanges) }));
  return file;
}

if (options.help) {
  console.log(usage);
} else {
  try {
    await talk();
  } catch (error) {
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    console.error(`No answer from ${options.url}: ${reason}\nIs the gateway running? (npm start)`);
    process.exitCode = 1;
  }
}
