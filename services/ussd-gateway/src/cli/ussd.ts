/** A handset in the terminal, on a gateway that runs: `pnpm ussd`. See README.md, "A handset in the terminal". */
import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { shippedFlows } from '../flows/in-service.js';
import { Handset, NoScreenError, type SendHop } from '../terminal/handset.js';
import { maskSecrets } from '../terminal/mask-secrets.js';
import { printTranscript } from '../terminal/transcript.js';
import { testFlows } from './test-flows.js';

const usage = `Usage: pnpm ussd [--url http://127.0.0.1:3000] [--phone +260971230567] [--code '*384#'] [--record "Title"] [--flows DIR]
       pnpm ussd test DIR [--name Mlango]

Type what you would type on the phone. "hang up" or Ctrl-D ends.
--record writes the dialogue to default/transcripts/ of the folder of flows, without PINs and Customer IDs. It dials from a
number that nobody has dialled from, unless --phone names one. --flows is that folder, as in FLOWS_DIR.
test plays the dialogues of a folder of flows, without a gateway.
`;

interface Options {
  readonly url: string;
  readonly phone?: string;
  readonly code: string;
  readonly record?: string;
  readonly flows: string;
  readonly help: boolean;
}

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code: 0 done, 1 no gateway that answers, 2 not understood. */
async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'test') return testFlows(args.slice(1));
  const options = readOptions(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  try {
    await talk(options);
    return 0;
  } catch (error) {
    process.stderr.write(`${reasonOf(error, options.url)}\n`);
    return 1;
  }
}

/** The options, or why they cannot be read. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:3000' },
        phone: { type: 'string' },
        code: { type: 'string', default: '*384#' },
        record: { type: 'string' },
        flows: { type: 'string', default: shippedFlows },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (!existsSync(join(values.flows, 'default/flow.yaml'))) return `There is no flow in "${values.flows}".`;
    return values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function reasonOf(error: unknown, url: string): string {
  if (error instanceof NoScreenError) return `${url} is no USSD gateway: ${error.message}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `No answer from ${url}: ${cause instanceof Error ? cause.message : String(cause)}\nIs the gateway running? (npm start)`;
}

async function talk({ url, phone, code, record, flows }: Options): Promise<void> {
  const send: SendHop = async (hop) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(new URL('/api/ussd', url), { method: 'POST', headers, body: JSON.stringify(hop) });
    return reply.text();
  };
  // A dialogue that is played again begins on a phone that has neither a language nor a lost session.
  const phoneNumber = phone ?? (record === undefined ? '+260971230567' : `+26097${randomInt(1_000_000, 10_000_000)}`);
  const handset = new Handset(send, { sessionId: `terminal-${randomUUID()}`, phoneNumber, serviceCode: code });
  const first = await handset.dial();
  process.stdout.write(`${first.message}\n\n`);
  if (!first.closes) await converse(handset);
  if (record !== undefined) process.stdout.write(`Recorded: ${keep(record, flows, handset)}\n`);
}

async function converse(handset: Handset): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  try {
    terminal.prompt();
    for await (const line of terminal) {
      // Input from a file or a pipe shows nowhere else.
      if (!process.stdin.isTTY) process.stdout.write(`${line}\n`);
      if (line.trim() === 'hang up') return;
      const { message, closes } = await handset.type(line);
      process.stdout.write(`\n${message}\n\n`);
      if (closes) return;
      terminal.prompt();
    }
    process.stdout.write('\n');
  } finally {
    terminal.close();
  }
}

function keep(title: string, flows: string, handset: Handset): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['dialogue'];
  const folder = join(flows, 'default/transcripts');
  const file = join(folder, `${words.join('-')}.txt`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, printTranscript({ title, exchanges: maskSecrets(handset.exchanges) }));
  return file;
}
