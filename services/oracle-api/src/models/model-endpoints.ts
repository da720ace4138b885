/** Providers by name, each through the AI SDK's own package. */
export const providerNames = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'openrouter',
  'azure',
  'bedrock',
  'openai-compatible',
] as const;

export type ProviderName = (typeof providerNames)[number];

/** One model at one endpoint. */
export interface ModelEndpoint {
  /** The name by which users choose the model. Several endpoints may share a name. */
  readonly name: string;
  /** Unique: the name, with a number if the name is used. */
  readonly id: string;
  readonly provider: ProviderName;
  /** As the provider names the model. */
  readonly model: string;
  /** Undefined for the provider's own address. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Whether its `LLM_MODELS` entry has a provider: such an endpoint replaces earlier ones that fail. */
  readonly isFallback: boolean;
}

export interface EndpointSettings {
  readonly LLM_PROVIDER: ProviderName;
  readonly LLM_BASE_URL?: string | undefined;
  readonly LLM_API_KEY?: string | undefined;
  readonly LLM_API_KEYS: ReadonlyMap<string, string>;
  readonly LLM_MODEL?: string | undefined;
  readonly LLM_MODELS: readonly string[];
  readonly LLM_SMALL_MODEL?: string | undefined;
}

/** All endpoints of the models to choose from, in the order in which they replace each other. */
export function modelEndpoints(settings: EndpointSettings): ModelEndpoint[] {
  const { LLM_MODEL: first, LLM_MODELS: entries } = settings;
  const listed = entries.map((entry) => endpointOf(entry, settings));
  const isListed = first === undefined || listed.some(({ name }) => name === first);
  const all = isListed ? listed : [endpointOf(first, settings), ...listed];
  return all.map((endpoint, at) => {
    const before = all.slice(0, at).filter(({ name }) => name === endpoint.name).length;
    return before === 0 ? endpoint : { ...endpoint, id: `${endpoint.name}#${before + 1}` };
  });
}

/** The names of the models to choose from, the default one first. */
export function modelNames(settings: EndpointSettings): string[] {
  const names = modelEndpoints(settings).map(({ name }) => name);
  const { LLM_MODEL: first } = settings;
  return [...new Set(first === undefined ? names : [first, ...names])];
}

/** The endpoints of a model: its first one, and all after it that may answer in its place. */
export function endpointsOf(name: string, settings: EndpointSettings): [ModelEndpoint, ...ModelEndpoint[]] {
  const all = modelEndpoints(settings);
  const at = all.findIndex((endpoint) => endpoint.name === name);
  const first = all[at] ?? endpointOf(name, settings);
  return [first, ...(at === -1 ? [] : all.slice(at + 1).filter(({ isFallback }) => isFallback))];
}

/** An entry of `LLM_MODELS` with its provider, `name=provider:model@url`. */
export const namedEntry = /^(?<name>[^=]+)=(?<provider>[a-z-]+):(?<model>.+?)(?:@(?<url>https?:\/\/\S+))?$/;

/** The part of an entry by which users choose the model. */
export function nameIn(entry: string): string {
  return namedEntry.exec(entry)?.groups?.['name'] ?? entry;
}

/** An entry without a provider is a model of `LLM_PROVIDER`. */
function endpointOf(entry: string, settings: EndpointSettings): ModelEndpoint {
  const { name = entry, provider: named, model = entry, url } = namedEntry.exec(entry)?.groups ?? {};
  const { LLM_PROVIDER: standard, LLM_BASE_URL: standardUrl } = settings;
  const provider = providerNames.find((known) => known === named) ?? standard;
  return {
    name,
    id: name,
    provider,
    model,
    isFallback: named !== undefined,
    baseUrl: url ?? (provider === standard ? standardUrl : undefined),
    apiKey: keyOf({ name, provider, url }, settings),
  };
}

/** The key for an endpoint: a provider's key for the provider's address, `LLM_API_KEY` for the address of `LLM_PROVIDER`. */
function keyOf(
  { name, provider, url }: { name: string; provider: ProviderName; url: string | undefined },
  { LLM_PROVIDER: standard, LLM_API_KEY: standardKey, LLM_API_KEYS: keys }: EndpointSettings,
): string | undefined {
  const isOwnUrl = url !== undefined && provider !== 'azure' && provider !== 'bedrock';
  const ofProvider = isOwnUrl ? undefined : keys.get(provider);
  return keys.get(name) ?? ofProvider ?? (provider === standard && url === undefined ? standardKey : undefined);
}
