import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../test-services/src/free-port.js';
import { commandBlocks } from './documented-commands.mjs';
import { repositoryRoot } from './project-files.mjs';

const guide = readFileSync(join(repositoryRoot, 'docs/guides/your-first-oracle.md'), 'utf8');
const [setUp = '', copies = '', start = '', page = '', restart = ''] = commandBlocks(guide).map(({ text }) => text);
const tool = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
const [, question, answer] = /Type `(What is the wind[^`]*)`\. The oracle answers `([^`]*)`/.exec(guide) ?? [];

const home = mkdtempSync(join(tmpdir(), 'first-oracle-'));
const clone = join(home, 'clone');
const notCopied = /(^|\/)(node_modules|\.git|\.turbo|\.data|artifacts)$|^tools\/site\/dist$/;

beforeAll(() => {
  const filter = (path: string) => !notCopied.test(relative(repositoryRoot, path).replaceAll('\\', '/'));
  cpSync(repositoryRoot, clone, { recursive: true, preserveTimestamps: true, filter });
  symlinkSync(join(repositoryRoot, 'tools/pnpm/node_modules'), join(clone, 'tools/pnpm/node_modules'), 'junction');
}, 240_000);
afterAll(() => rmSync(home, { recursive: true, force: true }), 120_000);

it('the tutorial "your first oracle", followed in a copy of the repository, ends with the documented answer', {
  timeout: 600_000,
}, async () => {
  const port = await freePort();
  const inBackground = (commands: string, log: string) =>
    `${commands.replaceAll('PORT=3005', `PORT=${port}`).replace('did:key:z6Mk…', '$DID')} > ${log} 2>&1 &`;
  const until = (condition: string) =>
    `for i in {1..600}; do ${condition} && break; sleep 0.1; done; [ $i -lt 600 ] || { cat *.log >&2; exit 1; }`;
  const listens = (log: string) => until(`grep -q 'Server listening' ${log}`);
  const send = `curl -sS -H "authorization: Bearer $TOKEN" -H 'x-auth-type: ucan' -H 'content-type: application/json'`;
  const oracle = `http://127.0.0.1:${port}`;
  const script = [
    // Each program in the background has a process group, which ends with its children.
    'set -em',
    "trap 'for job in $(jobs -p); do kill -- -$job; done' EXIT",
    // The copy is built already.
    setUp.replace('npm run setup\n', ''),
    `{\n${copies}\n} >&2`,
    inBackground(start, 'start.log'),
    'STARTED=$!',
    listens('start.log'),
    `DID=$(sed -n 's/.*"oracleDid":"\\([^"]*\\)".*/\\1/p' start.log | head -1)`,
    inBackground(page, 'page.log'),
    until("grep -q 'localhost:' page.log"),
    `curl -sS "$(grep -o 'http://localhost:[0-9]*' page.log | head -1)/src/main.tsx" | grep -o "$DID" | head -1 > page.did`,
    '[ "$(cat page.did)" = "$DID" ]',
    'kill -- -$STARTED; wait $STARTED || true',
    `node -e '${addTool}' "$TOOL"`,
    inBackground(`{ ${restart}; }`, 'restart.log'),
    listens('restart.log'),
    'TOKEN=$(DATA_DIR=.data/my-oracle node services/oracle-api/dist/dev-token.js)',
    `SESSION=$(${send} -X POST -d '{}' ${oracle}/sessions | sed 's/.*"sessionId":"\\([^"]*\\)".*/\\1/')`,
    `${send} -d '${JSON.stringify({ message: question })}' ${oracle}/messages/$SESSION`,
  ].join('\n');
  const env = {
    PATH: process.env['PATH'],
    HOME: homedir(),
    TOOL: tool,
    NPM_CONFIG_PREFER_OFFLINE: 'true',
    DRAIN_DELAY_MS: '0',
  };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: clone, env, timeout: 580_000 });
  expect(JSON.parse(stdout).message.content).toContain(answer);
});

/** Puts the tool of the tutorial after the first one of the plugin. */
const addTool = `
  const fs = require("node:fs");
  const file = "examples/my-oracle/src/weather-plugin.ts";
  const [head, first, ...rest] = fs.readFileSync(file, "utf8").split(/(?=^    defineTool\\()/m);
  fs.writeFileSync(file, [head, first, process.argv[1], ...rest].join(""));
`;
