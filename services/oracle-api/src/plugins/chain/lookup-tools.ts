import { ServiceError } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { PluginResource } from '../api/plugin.js';
import { defineTool, type PluginTool, type ToolContext, ToolError } from '../api/plugin-tool.js';
import { type CardOf, claimCard, entityCard, tokenParametersCard } from './cards.js';
import type { QueryGateway } from './query-gateway.js';

const entityPrefix = 'did:ixo:entity:';

const id = (description: string) => z.object({ id: z.string().trim().min(1).max(256).describe(description) });

interface LookUp {
  readonly path: readonly string[];
  /** Noun for the subject of the lookup in error texts. */
  readonly what: string;
  readonly cardOf: CardOf;
}

/** Tools that query the chain. The result goes to the model, and as a card to pages that have a component for it. */
export function lookupTools(gateway: QueryGateway): PluginTool[] {
  async function lookUp({ path, what, cardOf }: LookUp, context: ToolContext): Promise<unknown> {
    const answer = await query(gateway, path, what, context);
    const card = cardOf(answer);
    if (card !== undefined)
      await context.emit.renderComponent({ ...card, status: 'done', eventId: context.toolCallId });
    return answer;
  }

  return [
    defineTool({
      effects: 'none',
      isOffered: true,
      name: 'lookup_entity',
      description:
        'Looks up an entity on the chain by its id: what it is, who controls it, its services and resources.',
      inputSchema: id(`such as ${entityPrefix}e0001`),
      execute: (args, context) => {
        const did = args.id.startsWith('did:') ? args.id : `${entityPrefix}${args.id}`;
        return lookUp({ path: ['proto', 'entity', did], what: `entity ${did}`, cardOf: entityCard }, context);
      },
    }),
    defineTool({
      effects: 'none',
      isOffered: true,
      name: 'lookup_claim',
      description: 'Looks up a claim on the chain by its id: its collection, who made it, and how it was evaluated.',
      inputSchema: id('as the chain has it: a content identifier such as bafkrei…'),
      execute: ({ id: claim }, context) =>
        lookUp({ path: ['proto', 'claims', 'claim', claim], what: `claim ${claim}`, cardOf: claimCard }, context),
    }),
    defineTool({
      effects: 'none',
      isOffered: true,
      name: 'get_token_parameters',
      description: 'Reads the parameters of the token module of the chain.',
      inputSchema: z.object({}),
      execute: (_, context) =>
        lookUp({ path: ['proto', 'token', 'params'], what: 'token parameters', cardOf: tokenParametersCard }, context),
    }),
  ];
}

/** @throws ToolError with a text that names the missing result and the reason. */
async function query(
  gateway: QueryGateway,
  path: readonly string[],
  what: string,
  { abortSignal, logger }: Pick<ToolContext, 'abortSignal' | 'logger'>,
): Promise<unknown> {
  const answer = await gateway.query(path, abortSignal);
  switch (answer.kind) {
    case 'answer':
      return answer.value;
    case 'absent':
      throw new ToolError(`The chain has no ${what}.`);
    case 'refused':
      throw new ToolError(`The chain rejected this request: ${answer.problem}`);
    case 'too_large':
      throw new ToolError('The data of the chain is too long to be read.');
    case 'busy':
      throw new ToolError('Too many requests were sent to the chain. Try again in a minute.');
    case 'unavailable':
      logger.warn({ err: answer.cause }, 'query gateway did not answer');
      throw new ToolError('The chain is not available now. Try again later.');
  }
}

/** Entities of the chain, each at its DID. There are too many for a list. */
export function entityResource(gateway: Pick<QueryGateway, 'query'>): PluginResource {
  return {
    uriPrefix: entityPrefix,
    name: 'entity',
    description: 'An entity on the chain: what it is, who controls it, its services and resources.',
    async read(_ownerDid, id, signal) {
      const answer = await gateway.query(['proto', 'entity', `${entityPrefix}${id}`], signal);
      if (answer.kind === 'answer') return answer.value;
      if (answer.kind === 'absent' || answer.kind === 'refused') return undefined;
      const cause = answer.kind === 'unavailable' ? answer.cause : new Error(`the query gateway: ${answer.kind}`);
      throw new ServiceError('unavailable', 'The chain is not available now', { cause });
    },
  };
}
