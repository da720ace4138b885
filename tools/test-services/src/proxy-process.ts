import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findIn } from './find-binaries.js';
import { freePort } from './free-port.js';

const START_TIMEOUT_MS = 20_000;
const ATTEMPTS = 3;

/** A reverse proxy that runs. */
export interface ProxyProcess {
  readonly port: number;
  /** All that it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** How to run one proxy in the foreground on a port, with its output in its own folder only. */
export type ProxyCommand = (port: number, folder: string) => { args: string[]; env?: NodeJS.ProcessEnv };

/** The path of a program, or undefined: searched in PATH and in Debian's folders for administrators. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return findIn(folders, name);
}

/** Starts a proxy on a free port and waits until it accepts connections. */
export async function startProxy(program: string, command: ProxyCommand): Promise<ProxyProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const { args, env } = command(port, folder);
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    const stop = async () => {
      await end(child);
      removeFolder();
    };
    if (await isListening(child, port)) return { port, stop, log: () => output + filesOf(join(folder, 'logs')) };
    await end(child);
    // Another process may have received the same free port in between.
    if (attempt < ATTEMPTS && /in use/i.test(output)) continue;
    removeFolder();
    throw new Error(`${program} did not start:\n${output}`);
  }
}

async function isListening(child: ChildProcess, port: number): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if (await accepts(port)) return true;
    await sleep(20);
  }
  return false;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** nginx and Caddy both end at once on SIGTERM. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function filesOf(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
