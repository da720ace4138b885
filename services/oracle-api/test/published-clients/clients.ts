/** Features of a protocol, as columns of docs/conformance.md. */
export const features = [
  'stream',
  'tools',
  'pageTools',
  'files',
  'structured',
  'stop',
  'resume',
  'approval',
  'limit',
] as const;
export type Feature = (typeof features)[number];

/** A published client by one protocol: a row of docs/conformance.md, and a script of `clients/` that runs it. */
export interface PublishedClient {
  readonly name: string;
  readonly protocol: string;
  readonly script: string;
  /** Arguments of the script: packages of `clients/package.json`, and the API. */
  readonly args: readonly string[];
  readonly features: readonly Feature[];
  /** How the client sees a stopped answer. */
  readonly ended?: string;
}

const openAi = ['stream', 'tools', 'pageTools', 'files', 'structured', 'stop'] as const;

function openAiClients(): PublishedClient[] {
  const versions = ['openai-7', 'openai-6'];
  return versions.flatMap((name) => [
    {
      name,
      protocol: 'Chat completions',
      script: 'openai',
      args: [name, 'chat'],
      features: [...openAi, 'approval', 'limit'],
      ended: 'disconnected',
    },
    {
      name,
      protocol: 'Responses',
      script: 'openai',
      args: [name, 'responses'],
      features: [...openAi, 'resume', 'approval', 'limit'],
      ended: 'cancelled',
    },
  ]);
}

/** Clients of the OpenAI API that cannot resume an answer. */
function openAiFrameworks(): PublishedClient[] {
  const rows: readonly (readonly [string, string, readonly string[], string])[] = [
    ['ai-7', 'ai-provider', ['ai-7', 'ai-sdk-openai-4', 'chat'], 'Chat completions'],
    ['ai-7', 'ai-provider', ['ai-7', 'ai-sdk-openai-4', 'responses'], 'Responses'],
    ['ai-6', 'ai-provider', ['ai-6', 'ai-sdk-openai-3', 'chat'], 'Chat completions'],
    ['ai-6', 'ai-provider', ['ai-6', 'ai-sdk-openai-3', 'responses'], 'Responses'],
    ['ai-5', 'ai-provider', ['ai-5', 'ai-sdk-openai-2', 'chat'], 'Chat completions'],
    ['ai-5', 'ai-provider', ['ai-5', 'ai-sdk-openai-2', 'responses'], 'Responses'],
    ['@openai/agents', 'agents', ['@openai/agents'], 'Responses'],
    ['openai-agents-0.14', 'agents', ['openai-agents-0.14'], 'Responses'],
    ['@langchain/openai', 'langchain', ['@langchain/openai', 'chat'], 'Chat completions'],
    ['@langchain/openai', 'langchain', ['@langchain/openai', 'responses'], 'Responses'],
    ['langchain-openai-1.5', 'langchain', ['langchain-openai-1.5', 'chat'], 'Chat completions'],
    ['langchain-openai-1.5', 'langchain', ['langchain-openai-1.5', 'responses'], 'Responses'],
  ];
  return rows.map(([name, script, args, protocol]) => ({
    name,
    protocol,
    script,
    args,
    features: [...openAi, 'approval', 'limit'],
    ended: 'disconnected',
  }));
}

const mcp = ['stream', 'tools', 'structured', 'stop'] as const;

export const publishedClients: readonly PublishedClient[] = [
  ...openAiClients(),
  ...openAiFrameworks(),
  ...['ai-7', 'ai-6', 'ai-5'].map((name): PublishedClient => {
    const own = ['stream', 'tools', 'files', 'stop', 'resume', 'approval', 'limit'] as const;
    return { name, protocol: 'AI SDK', script: 'ai-chat', args: [name], features: own, ended: 'ready' };
  }),
  ...['@ag-ui/client', 'ag-ui-client-0'].map((name): PublishedClient => {
    const own = ['stream', 'tools', 'pageTools', 'files', 'stop', 'resume', 'approval', 'limit'] as const;
    return { name, protocol: 'AG-UI', script: 'ag-ui', args: [name], features: own, ended: 'cancelled' };
  }),
  {
    name: '@copilotkit/runtime',
    protocol: 'AG-UI',
    script: 'copilotkit',
    args: [],
    ended: 'disconnected',
    features: ['stream', 'tools', 'pageTools', 'files', 'stop', 'approval', 'limit'],
  },
  {
    name: '@a2a-js/sdk',
    protocol: 'A2A',
    script: 'a2a',
    args: ['@a2a-js/sdk'],
    ended: 'cancelled',
    features: ['stream', 'tools', 'files', 'stop', 'resume', 'approval', 'limit'],
  },
  ...['@modelcontextprotocol/sdk', '@modelcontextprotocol/client'].map((name): PublishedClient => {
    const own = [...mcp, 'resume', 'approval', 'limit'] as const;
    return { name, protocol: 'MCP', script: 'mcp', args: [name], features: own, ended: 'disconnected' };
  }),
  {
    name: 'mcp-remote',
    protocol: 'MCP',
    script: 'mcp-remote',
    args: ['mcp-remote'],
    ended: 'disconnected',
    features: [...mcp, 'approval', 'limit'],
  },
  {
    name: '@langchain/mcp-adapters',
    protocol: 'MCP',
    script: 'mcp-adapters',
    ended: 'disconnected',
    args: ['@langchain/mcp-adapters'],
    features: [...mcp, 'approval', 'limit'],
  },
];
