import { fencedBlocks } from './readme-blocks.mjs';

/**
 * A command that a page shows.
 * @typedef {object} Step
 * @property {string} command - one or more lines
 * @property {string | undefined} printed - its documented output; `…` matches any text
 */

/**
 * A shell block of a page.
 * @typedef {object} CommandBlock
 * @property {number} line - of its first command, from 1
 * @property {string} text
 * @property {readonly Step[]} steps
 */

const PROGRAM =
  /^(?:\w+=\S+ )*(?:\$ |(?:npm|npx|node|pnpm|curl|cp|sed|docker|kubectl|redis-cli|psql|pg_dump|pg_restore|git) )/;
/** A program that runs until it is stopped. */
export const SERVER = /(?:node \S+\/dist\/main\.js|pnpm --filter \S+ run dev)(?! migrate| move)/;

/**
 * @param {string} markdown
 * @returns {CommandBlock[]} the blocks marked `sh`, `bash` and `console`, and those without a language that begin with a program
 */
export function commandBlocks(markdown) {
  return fencedBlocks(markdown).flatMap(({ language, line, text, output }) => {
    if (!['sh', 'bash', 'console'].includes(language) && !(language === '' && PROGRAM.test(text))) return [];
    const steps = language === 'console' ? consoleSteps(text) : scriptSteps(text);
    const last = steps.at(-1);
    if (output !== undefined && last !== undefined) last.printed ??= output;
    return [{ line, text, steps }];
  });
}

/**
 * @param {string} text - commands after `$ `, each with its output
 * @returns {Step[]}
 */
function consoleSteps(text) {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const command = /^(?:.*\\\n)*.*$/m.exec(part)?.[0] ?? '';
      return { command, printed: part.slice(command.length).trim() };
    });
}

/**
 * A comment below a command is its output. A server that runs in the foreground ends a step.
 * @param {string} text
 * @returns {Step[]}
 */
function scriptSteps(text) {
  /** @type {{ commands: string[], comments: string[] }[]} */
  const steps = [];
  let isComplete = true;
  for (const line of text.split('\n')) {
    const isComment = line.startsWith('#');
    if (isComplete || (!isComment && (steps.at(-1)?.comments.length ?? 0) > 0)) {
      if (line.trim() === '') continue;
      steps.push({ commands: [], comments: [] });
      isComplete = false;
    }
    const step = steps.at(-1);
    if (isComment && step?.commands.some((command) => !command.startsWith('#'))) step.comments.push(line);
    else step?.commands.push(line);
    if (SERVER.test(line) && !/main\.js &/.test(line) && !line.endsWith('\\')) isComplete = true;
  }
  return steps.map(({ commands, comments }) => ({
    command: commands.join('\n').trim(),
    printed:
      comments.length === 0 ? undefined : comments.map((line) => line.replace(/^#\s*(?:[45]\d\d )?/, '')).join(''),
  }));
}

/** The pages whose commands documented-commands.integration.test.ts runs, all but the exceptions below. */
export const playedPages = /** @type {const} */ ([
  'README.md',
  'docs/README.md',
  'deploy/mock-node/README.md',
  'docs/guides/share-conversations.md',
  'docs/guides/ucan-tokens.md',
  'docs/guides/watch-queries.md',
  'examples/oracle-page/README.md',
  'examples/pay-a-bill/README.md',
  'examples/pay-oracle/README.md',
  'examples/weather-oracle/README.md',
  'packages/ucan-auth/README.md',
  'services/oracle-api/README.md',
  'services/proto-gateway/README.md',
  'services/ussd-gateway/README.md',
]);

/**
 * Pages with a test of their own, which names the page.
 * @type {Readonly<Record<string, string>>}
 */
export const testedBy = {
  'deploy/README.md': 'tools/checks/images.mjs',
  'docs/guides/add-a-menu.md': 'services/ussd-gateway/test/guide.integration.test.ts',
  'docs/guides/api-keys.md': 'services/proto-gateway/test/guides/guides.integration.test.ts',
  'docs/guides/ask-the-oracle-by-phone.md': 'services/ussd-gateway/test/ask-guide.integration.test.ts',
  'docs/guides/choose-from-a-list.md': 'services/ussd-gateway/test/list-guide.integration.test.ts',
  'docs/guides/connect-an-aggregator.md': 'services/ussd-gateway/test/connect-guide.integration.test.ts',
  'docs/guides/connect-and-grpc-web.md': 'services/proto-gateway/test/guides/guides.integration.test.ts',
  'docs/guides/evaluate-an-oracle.md': 'services/oracle-api/test/evals.test.ts',
  'docs/guides/open-at-certain-hours.md': 'services/ussd-gateway/test/hours-guide.test.ts',
  'docs/guides/run-several-services.md': 'services/ussd-gateway/test/services-guide.integration.test.ts',
  'docs/guides/take-a-payment.md': 'services/ussd-gateway/test/pay-guide.integration.test.ts',
  'docs/guides/write-a-plugin.md': 'services/oracle-api/test/plugin-tutorial.integration.test.ts',
  'docs/guides/your-first-oracle.md': 'tools/checks/first-oracle.integration.test.ts',
  'docs/operations/pools.md': 'tools/checks/images.mjs',
  'examples/two-oracles/README.md': 'examples/two-oracles/src/as-the-readme-says.integration.test.ts',
};

/**
 * Blocks that no test runs. `begins` is the begin of the block; without it the whole page is meant.
 * @type {readonly { page: string, begins?: string, reason: string }[]}
 */
export const exceptions = [
  {
    page: 'README.md',
    begins: 'npm start',
    reason: 'CI starts with it; tools/bootstrap/commands/start.test.ts tests it',
  },
  { page: 'README.md', begins: 'npm test', reason: 'CI runs it' },
  { page: 'CONTRIBUTING.md', reason: 'commands of developers, which CI runs' },
  { page: 'bench/README.md', reason: 'measures for an hour on a machine of its own' },
  { page: 'docs/conformance.md', reason: 'CI runs it' },
  { page: 'docs/guides/serve-another-module.md', reason: 'CI runs it' },
  { page: 'docs/operations/endurance.md', reason: 'a soak of 60 minutes' },
  { page: 'docs/operations/releasing.md', reason: 'makes a release' },
  { page: 'docs/operations/runbook.md', reason: 'needs the Docker engine of a deployment with an alert' },
  {
    page: 'docs/operations/upgrades.md',
    reason: 'needs the databases of a deployment; upgrades.integration.test.ts does the same',
  },
  { page: 'docs/operations/redis.md', reason: 'needs a Redis of a release before 0.2.0' },
  { page: 'docs/operations/real-node.md', reason: 'needs the nodes of a chain' },
  { page: 'docs/operations/model-endpoints.md', reason: 'two settings without a command' },
  { page: 'deploy/k8s/README.md', reason: 'needs a cluster; manifests.test.ts reads the commands' },
  { page: 'deploy/observability/README.md', reason: 'needs a cluster' },
  { page: 'examples/chain-clients/README.md', reason: 'CI runs it' },
  {
    page: 'services/oracle-api/src/plugins/credits/README.md',
    reason: 'a line of a crontab; newcomer.integration.test.ts calls the route',
  },
  {
    page: 'services/oracle-api/src/plugins/mcp/README.md',
    reason: 'a setting without a command; two-oracles/src/as-the-readme-says.integration.test.ts uses it',
  },
  {
    page: 'services/ussd-gateway/README.md',
    begins: '$ curl -s localhost:3000/api/ussd/pushes',
    reason: 'needs an adapter of your own before a USSD gateway; test/http/push.test.ts sends the same request',
  },
];

/**
 * @param {string} page
 * @param {{ text: string }} block
 */
export function isException(page, { text }) {
  return exceptions.some((one) => one.page === page && text.startsWith(one.begins ?? ''));
}
