// The OpenAPI documents of the running services: three validators accept them, and clients of three generators compile and
// call the services. Needs the build and a package registry.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startListening } from './listening-service.mjs';
import { outputOf } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit } from './report.mjs';

const TOOLS = join(repositoryRoot, 'tools/checks/openapi');
const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  strict: true,
  skipLibCheck: true,
  outDir: 'compiled',
  types: ['node'],
};

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
 * Runs a step and returns its failure, if any, as a finding with the name of the step.
 * @param {string} what
 * @param {() => unknown} step
 */
async function attempt(what, step) {
  try {
    await step();
  } catch (error) {
    findings.push(`${what}: ${outputOf(error)}`);
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

/** @type {Awaited<ReturnType<typeof startListening>>[]} */
const started = [];
/** @param {Parameters<typeof startListening>} program */
const start = async (...program) => {
  const listening = await startListening(...program);
  started.push(listening);
  return listening.address;
};
try {
  const node = await start('deploy/mock-node/dist/main.js', { MOCK_NODE_PORT: '0' }, { listens: /gRPC on (\S+)/ });
  const urls = {
    ussd: await start('services/ussd-gateway/dist/main.js', { DATA_DIR: join(folder, 'ussd') }),
    oracle: await start('services/oracle-api/dist/main.js', { DATA_DIR: join(folder, 'oracle'), API_KEYS: 'on' }),
    chain: await start('services/proto-gateway/dist/main.js', { GRPC_TARGETS: node }),
  };
  const paths = { ussd: '/docs/json', oracle: '/docs/json', chain: '/openapi.json' };
  const documents = await Promise.all(
    Object.entries(paths).map(async ([name, path]) => {
      const url = `${urls[/** @type {keyof typeof urls} */ (name)]}${path}`;
      return { name, text: await (await fetch(url)).text() };
    }),
  );
  mkdirSync(join(folder, 'fetch'));
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
    await attempt(`openapi-typescript of ${name}`, () =>
      run(bin('openapi-typescript'), `${name}.json`, '-o', `fetch/${name}.d.ts`),
    );
    await attempt(`openapi-ts of ${name}`, () => run(bin('openapi-ts'), '-i', `${name}.json`, '-o', `hey/${name}`));
    await attempt(`swagger-typescript-api of ${name}`, () =>
      run(bin('swagger-typescript-api'), 'generate', '-p', `${name}.json`, '-o', `swagger/${name}`, '-n', 'api.ts'),
    );
  }
  await attempt('the clients do not compile', () => run(bin('tsc'), '-p', '.'));
  await attempt('the clients do not run', () => run('compiled/clients.js', urls.ussd, urls.oracle, urls.chain));
} finally {
  await Promise.all(started.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
}
reportAndExit('openapi', findings);
