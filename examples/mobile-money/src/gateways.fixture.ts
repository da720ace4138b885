import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ListeningProgram, startBuilt } from '@mlango/test-services/program';
import type { Random } from '@mlango/test-services/random';
import { freePort } from '@mlango/test-services/servers';

const flows = fileURLToPath(new URL('../flows/', import.meta.url));

/** A secret of these tests. */
export const secret = `whsec_${Buffer.from('a secret of these tests, 32 chars').toString('base64')}`;

/** The webhook as an operator declares it; tries and questions are quick, so that a test is. */
export function webhooksOf(url: string): string {
  const mobileMoney = {
    url: `${url}/ussd`,
    statusUrl: `${url}/ussd/payments/{intent}`,
    secret,
    phone: 'full',
    private: true,
    timeoutMs: 1500,
    askAgainSeconds: 1,
  };
  return JSON.stringify({ mobileMoney });
}

/** Gateway processes on the same stores; a killed one is restarted at the same address. */
export class Gateways {
  readonly #env: Readonly<Record<string, string>>;
  readonly #running: (ListeningProgram | undefined)[] = [];
  readonly #all: ListeningProgram[] = [];
  readonly #logs = mkdtempSync(join(tmpdir(), 'mobile-money-'));
  #ports: readonly number[] = [];

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = { FLOWS_DIR: flows, DRAIN_DELAY_MS: '0', RATE_LIMIT_MAX: '1000000', HOP_DEADLINE_MS: '3000', ...env };
  }

  async start(count: number): Promise<void> {
    this.#ports = await Promise.all(Array.from({ length: count }, () => freePort()));
    await Promise.all(this.#ports.map((_, index) => this.#startOne(index)));
  }

  /** One of them, whether it lives or not. */
  any(random: Random): string {
    return `http://127.0.0.1:${random.pick(this.#ports)}`;
  }

  /** Kills a gateway under load and restarts it. */
  async killOne(random: Random): Promise<void> {
    const index = random.between(0, this.#ports.length - 1);
    await this.#running[index]?.end('SIGKILL');
    await this.#startOne(index);
  }

  /** The lines of all their logs, including those of killed ones. */
  logged(): string[] {
    return this.#all.flatMap((program) => program.output().split('\n'));
  }

  /** Removes their logs. */
  remove(): void {
    rmSync(this.#logs, { recursive: true });
  }

  async #startOne(index: number): Promise<void> {
    const env = { ...this.#env, PORT: String(this.#ports[index]) };
    const logFile = join(this.#logs, `${this.#all.length}-${index}.log`);
    const program = await startBuilt('services/ussd-gateway/dist/main.js', env, undefined, logFile);
    this.#running[index] = program;
    this.#all.push(program);
  }
}
