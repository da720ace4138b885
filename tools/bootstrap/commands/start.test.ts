import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askService, ends, freePort, Started, type StartOptions } from '../fixtures/started.js';

let root: string;
let ports: [number, number];
let started: Started[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'mlango-start-'));
  ports = [await freePort(), await freePort()];
  started = [];
});

afterEach(async () => {
  for (const one of started) one.kill('SIGKILL');
  await Promise.all(started.map((one) => one.exitCode));
  rmSync(root, { recursive: true, force: true });
});

function start(options: Partial<StartOptions> = {}): Started {
  const services = [
    { name: 'one', fallback: ports[0] },
    { name: 'two', fallback: ports[1] },
  ];
  const one = new Started({ root, services, ...options });
  started.push(one);
  return one;
}

/** As `npm start` runs it: by the script that the repository has, with another command in it. */
function throughNpm(command: readonly string[]): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const quoted = command.map((part) => `'${part}'`).join(' ');
  const script = String(scripts.start).replaceAll(/node -r \S+ \S+/g, () => quoted);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { start: script } }));
  return ['npm', 'start', '--silent', '--prefix', root];
}

async function pids(): Promise<[number, number]> {
  return [(await askService(ports[0])).pid, (await askService(ports[1])).pid];
}

async function allEnd(processes: readonly number[]): Promise<void> {
  for (const pid of processes) await ends(pid);
}

describe('start', () => {
  it('gives each service its port and data folder and labels each of its lines', async () => {
    const run = start({ env: { TWO_PORT: '', PORT: '1' } });
    await run.says('all ready');
    expect(await askService(ports[1])).toMatchObject({ port: String(ports[1]), dataDir: join(root, '.data/two') });
    expect(run.output.split('\n').sort().slice(1, 4)).toEqual(['all ready', 'one | listening', 'two | listening']);
  });

  const startInOrder = (first: string) => {
    const one = { name: 'one', fallback: ports[0], env: { BEHAVIOUR: first } };
    return start({ services: [one, { name: 'two', fallback: ports[1], after: 'one' }] });
  };

  it('starts a dependent service once its dependency is ready', async () => {
    const run = startInOrder('slow');
    await run.says('all ready');
    expect(run.output).toMatch(/one \| healthy\n(.*\n)*two \| listening/);
  });

  it('starts nothing after a stop request', async () => {
    const run = startInOrder('unhealthy');
    await run.says('one | listening');
    run.kill('SIGTERM');
    expect(await run.exitCode).toBe(0);
    expect(run.output).not.toContain('two |');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends every service and then itself with exit code 0',
    async (signal) => {
      const run = start();
      await run.says('all ready');
      const processes = await pids();
      run.kill(signal);
      expect(await run.exitCode).toBe(0);
      await allEnd(processes);
      expect(run.output).toContain('two | draining');
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)('%s to npm itself ends every service', async (signal) => {
    const run = start({ through: throughNpm });
    await run.says('all ready');
    const processes = await pids();
    run.kill(signal);
    await allEnd(processes);
  });

  it('ends every service when its parent dies', async () => {
    const run = start({ through: (command) => [process.execPath, '-e', spawnAndStay(command)] });
    await run.says('all ready');
    const processes = await pids();
    run.kill('SIGKILL');
    await allEnd(processes);
  });

  it.runIf(process.platform === 'linux')('ends every service when npm dies and its shell survives', async () => {
    const run = start({
      env: { npm_lifecycle_event: 'start' },
      through: ([node = '', script = '', table = '']) => [
        process.execPath,
        '-e',
        spawnAndStay(['sh', '-c', '"$0" "$1" "$2"; true', node, script, table]),
      ],
    });
    await run.says('all ready');
    const processes = await pids();
    run.kill('SIGKILL');
    await allEnd(processes);
  });

  it('leaves no service behind when it is killed', async () => {
    const run = start();
    await run.says('all ready');
    const processes = await pids();
    run.kill('SIGKILL');
    await allEnd(processes);
  });

  it('kills remaining services at the second Ctrl-C', async () => {
    const run = start({ services: [{ name: 'one', fallback: ports[0], env: { BEHAVIOUR: 'stubborn' } }] });
    await run.says('all ready');
    const { pid } = await askService(ports[0]);
    run.kill('SIGINT');
    await run.says('one | draining');
    // One key press may arrive twice, the second time from npm: repeat until it counts as a second request.
    const insisting = setInterval(() => run.kill('SIGINT'), 100);
    // Not longer: a signal in the last moments of a process ends it before its exit code is set.
    await run.says('Asked again');
    clearInterval(insisting);
    expect(await run.exitCode).toBe(1);
    await ends(pid);
    expect(run.output).toContain('Asked again: killing one.');
  });

  it('kills remaining services at the deadline', async () => {
    const services = [{ name: 'one', fallback: ports[0], env: { BEHAVIOUR: 'stubborn' } }];
    const run = start({ services, stopWithinMs: 300 });
    await run.says('all ready');
    const { pid } = await askService(ports[0]);
    run.kill('SIGTERM');
    expect(await run.exitCode).toBe(1);
    await ends(pid);
  });

  it('names the service that died, its exit and its last lines, and ends the others', async () => {
    const run = start();
    await run.says('all ready');
    const [pid] = await pids();
    await fetch(`http://127.0.0.1:${ports[1]}/die`).catch(() => undefined);
    expect(await run.exitCode).toBe(1);
    await ends(pid);
    expect(run.output).toContain('two has ended unexpectedly (exit code 7).');
    expect(run.output).toContain('  last words of a dying service');
  });

  it('reports a service that dies before it is ready', async () => {
    const run = start({
      services: [
        { name: 'one', fallback: ports[0] },
        { name: 'two', fallback: ports[1], script: join(root, 'missing.mjs') },
      ],
    });
    expect(await run.exitCode).toBe(1);
    expect(run.output).toContain('two has ended unexpectedly (exit code 1).');
    expect(run.output).not.toContain('all ready');
  });

  it('ends every service after an internal error', async () => {
    const run = start({ greeting: '' });
    expect(await run.exitCode).toBe(1);
    expect(run.output).toContain('no greeting');
    expect(run.output).toContain('two | draining');
  });

  it('names port and variable of a port in use, and starts nothing', async () => {
    const taker = createServer().listen(ports[1], '127.0.0.1');
    await new Promise((resolve) => taker.once('listening', resolve));
    try {
      const run = start();
      expect(await run.exitCode).toBe(1);
      expect(run.output).toBe(
        `Port ${ports[1]} for two is already in use. Stop what uses it, or choose another port with TWO_PORT.\n`,
      );
    } finally {
      taker.close();
    }
  });
});

/** A program that starts a command and stays, as npm does; its output is the command's. */
function spawnAndStay(command: readonly string[]): string {
  return `const [program, ...args] = ${JSON.stringify(command)};
    require('node:child_process').spawn(program, args, { stdio: 'inherit' });
    setInterval(() => {}, 1000);`;
}
