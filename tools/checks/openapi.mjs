// The OpenAPI documents of the running services: three validators accept them, and clients of three generators compile and
// call the services. Needs the build and a package registry.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../bootstrap/services/service-process.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit } from './report.mjs';

const TOOLS = join(repositoryRoot, 'tools/checks/openapi');
const START_LIMIT_MS = 60_000;
const COMPILER_OPTIONS = {
  ...{ target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'] },
  ...{ strict: true, skipLibCheck: true, outDir: 'compiled', types: ['node'] },
};

/**
 * Starts a service as it was built, and waits until it is ready.
 * @param {string} name
 * @param {string} script
 * @param {NodeJS.ProcessEnv} settings
 */
async function start(name, script, settings) {
  const port = String(await freePort());
  const env = { PATH: process.env['PATH'], PORT: port, MOCK_NODE_PORT: port, LOG_LEVEL: 'warn', ...settings };
  const service = new ServiceProcess({
    ...{ name, env, cwd: repositoryRoot, onLine: () => {} },
    script: join(repositoryRoot, script),
  });
  const url = `http://127.0.0.1:${port}`;
  return { name, url, address: `127.0.0.1:${port}`, service };
}

/** @param {{ url: string, service: ServiceProcess }} started */
async function ready({ url, service }) {
  const until = Date.now() + START_LIMIT_MS;
  while (!service.ended && Date.now() < until) {
    const reply = await fetch(`${url}/health`).catch(() => undefined);
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${service.name} did not become ready:\n${service.lastLines.join('\n')}`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
/** @type {string[]} */
const findings = [];
/** @param {string[]} args */
const run = (...args) =>
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe', encoding: 'utf8', env: toolEnvironment });
/** @param {string} name */
const bin = (name) => join(TOOLS, 'node_modules/.bin', name);
const toolEnvironment = {
  ...process.env,
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/**
 * What a step found, as a finding that names it.
 * @param {string} what
 * @param {() => unknown} step
 */
async function attempt(what, step) {
  try {
    await step();
  } catch (error) {
    const { stdout = '', stderr = '', message } = /** @type {any} */ (error);
    findings.push(`${what}: ${stdout || stderr ? `${stdout}${stderr}` : message}`);
  }
}

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', TOOLS], { stdio: 'inherit' });
const load = createRequire(join(TOOLS, 'package.json'));
const { default: SwaggerParser } = await import(load.resolve('@apidevtools/swagger-parser'));
const { Validator } = await import(load.resolve('@seriousme/openapi-schema-validator'));
symlinkSync(join(TOOLS, 'node_modules'), join(folder, 'node_modules'));
cpSync(join(TOOLS, 'redocly.yaml'), join(folder, 'redocly.yaml'));
cpSync(join(TOOLS, 'clients.ts'), join(folder, 'clients.ts'));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));

const node = await start('mock-node', 'deploy/mock-node/dist/main.js', {});
const services = [
  await start('ussd', 'services/ussd-gateway/dist/main.js', { DATA_DIR: join(folder, 'ussd') }),
  await start('oracle', 'services/oracle-api/dist/main.js', { DATA_DIR: join(folder, 'oracle'), API_KEYS: 'on' }),
  await start('chain', 'services/proto-gateway/dist/main.js', { GRPC_TARGETS: node.address }),
];
try {
  await Promise.all(services.map(ready));
  const documents = await Promise.all(
    services.map(async ({ name, url }) => {
      const path = name === 'chain' ? '/openapi.json' : '/docs/json';
      return { name, text: await (await fetch(`${url}${path}`)).text() };
    }),
  );
  for (const { name, text } of documents) {
    writeFileSync(join(folder, `${name}.json`), text);
    await attempt(`swagger-parser of ${name}`, () => SwaggerParser.validate(JSON.parse(text)));
    await attempt(`openapi-schema-validator of ${name}`, async () => {
      const { valid, errors } = await new Validator().validate(JSON.parse(text));
      if (!valid) throw new Error(JSON.stringify(errors));
    });
    await attempt(`redocly of ${name}`, () => {
      const said = run(bin('redocly'), 'lint', `${name}.json`, '--config', 'redocly.yaml', '--format', 'json');
      const { problems } = JSON.parse(said);
      if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 20), undefined, 1));
    });
    mkdirSync(join(folder, 'fetch'), { recursive: true });
    await attempt(`openapi-typescript of ${name}`, () =>
      run(bin('openapi-typescript'), `${name}.json`, '-o', `fetch/${name}.d.ts`),
    );
    await attempt(`openapi-ts of ${name}`, () => run(bin('openapi-ts'), '-i', `${name}.json`, '-o', `hey/${name}`));
    await attempt(`swagger-typescript-api of ${name}`, () =>
      run(bin('swagger-typescript-api'), 'generate', '-p', `${name}.json`, '-o', `swagger/${name}`, '-n', 'api.ts'),
    );
  }
  await attempt('the clients do not compile', () => run(bin('tsc'), '-p', '.'));
  const urls = services.map(({ url }) => url);
  await attempt('the clients do not run', () => run('compiled/clients.js', ...urls));
} finally {
  for (const { service } of [node, ...services]) service.kill('SIGTERM');
  await Promise.all([node, ...services].map(({ service }) => service.end));
  rmSync(folder, { recursive: true, force: true });
}
reportAndExit('openapi', findings);
