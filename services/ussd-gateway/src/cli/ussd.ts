/** A handset in the terminal, on a running gateway: `npm run -s ussd`. See README.md, "A handset in the terminal". */
import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { phoneNumberPattern } from '@mlango/schemas/ussd';
import { shippedFlows } from '../flows/read-flow.js';
import { GatewayHandset, NoScreenError, type SendHop } from '../transcripts/gateway-handset.js';
import { readTranscriptTenants, type TranscriptTenant } from '../transcripts/transcript-tenants.js';
import { writeTranscript } from '../transcripts/write-transcript.js';
import { playTranscripts } from './play-transcripts.js';

const usage = `Usage: npm run -s ussd -- [--url http://127.0.0.1:3000] [--phone +260971230567] [--code '*384#'] [--record "Title" [--force]] [--flows DIR] [--name Mlango]
       npm run -s ussd -- test DIR [--name Mlango]

Type what you would type on the phone. "hang up" or Ctrl-D ends.
--record writes the session to transcripts/ of the flow that the code reaches, without PINs and Customer IDs, and with the answers of back ends.
A transcript of the same title is overwritten with --force only.
It dials from an unused number, unless --phone names one. --flows is the folder of flows that the gateway serves, as in
FLOWS_DIR, and --name the name of services that have none of their own, as in APP_NAME.
test plays the transcripts of a folder of flows, without a gateway.
`;

interface Options {
  readonly url: string;
  readonly phone?: string;
  readonly code: string;
  readonly record?: {
    readonly title: string;
    readonly service: TranscriptTenant;
    readonly file: string;
    readonly force: boolean;
  };
  readonly help: boolean;
}

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code: 0 done, 1 no gateway answers, 2 invalid arguments. */
async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'test') return playTranscripts(args.slice(1));
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
    return await talk(options);
  } catch (error) {
    process.stderr.write(`${reasonOf(error, options.url)}\n`);
    return 1;
  }
}

/** The options, or the reason why they cannot be read. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:3000' },
        phone: { type: 'string' },
        code: { type: 'string', default: '*384#' },
        record: { type: 'string' },
        force: { type: 'boolean', default: false },
        flows: { type: 'string', default: shippedFlows },
        name: { type: 'string', default: 'Mlango' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { record: title, force, flows, name, ...options } = values;
    const { phone = '+260971230567', code } = options;
    if (!phoneNumberPattern.test(phone))
      return `--phone ${phone} is no phone number: write it with + and the country code, without blanks, such as +260971230567.`;
    if (!/^\*[0-9]+(?:\*[0-9]+)*#$/.test(code)) return `--code ${code} is no service code, such as '*384#'.`;
    if (title === undefined) return options;
    if (!existsSync(flows)) return `There is no folder "${flows}".`;
    const services = readTranscriptTenants(flows, name);
    if (services.problems !== undefined) return ['The flows are not sound:', ...services.problems].join('\n  ');
    const service = services.dialled(options.code);
    if (service === undefined) return `${options.code} reaches no flow in "${flows}".`;
    const file = fileOf(title, service);
    if (existsSync(file) && !force) return `${file} exists: choose another title, or overwrite it with --force.`;
    return { ...options, record: { title, service, file, force } };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function reasonOf(error: unknown, url: string): string {
  if (error instanceof NoScreenError) return `${url} is no USSD gateway: ${error.message}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `No answer from ${url}: ${cause instanceof Error ? cause.message : String(cause)}\nIs the gateway running? (npm start)`;
}

/** @returns the exit code: 1 for a session that cannot be recorded. */
async function talk({ url, phone, code, record }: Options): Promise<number> {
  const send: SendHop = async (hop) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(new URL('/api/ussd', url), { method: 'POST', headers, body: JSON.stringify(hop) });
    return reply.text();
  };
  // A transcript starts on a phone without a language and without a resume point.
  const phoneNumber = phone ?? (record === undefined ? '+260971230567' : `+26097${randomInt(1_000_000, 10_000_000)}`);
  const handset = new GatewayHandset(send, { sessionId: `terminal-${randomUUID()}`, phoneNumber, serviceCode: code });
  const first = await handset.dial();
  process.stdout.write(`${first.message}\n\n`);
  if (!first.closes) await converse(handset);
  if (record === undefined) return 0;
  const { title, service, file, force } = record;
  const exchanges = handset.exchanges.map((one, index) => ({ ...one, dials: index === 0 }));
  const written = writeTranscript({ title, phoneNumber, serviceCode: code, exchanges }, service.flow, service.facts);
  if (written.text === undefined) {
    process.stderr.write(`Not recorded: ${written.says}\n`);
    return 1;
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, written.text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    process.stderr.write(`Not recorded: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  process.stdout.write(`Recorded: ${file}\n`);
  return 0;
}

async function converse(handset: GatewayHandset): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  try {
    terminal.prompt();
    for await (const line of terminal) {
      // Piped input is echoed.
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

/** The file of a transcript, by its title. */
function fileOf(title: string, { folder }: TranscriptTenant): string {
  const words = title.toLowerCase().match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? ['transcript'];
  return join(folder, 'transcripts', `${words.join('-')}.txt`);
}
