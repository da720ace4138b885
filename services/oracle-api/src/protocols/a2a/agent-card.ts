import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import type { MessageFiles } from '../../files/message-files.js';
import { errorReplies } from '../../http/errors.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import type { ModelCatalog } from '../../models/model-catalog.js';
import { version } from '../../version.js';

interface CardDeps {
  readonly oracle: OracleIdentity;
  readonly messageFiles: Pick<MessageFiles, 'mediaTypes'>;
  readonly models: Pick<ModelCatalog, 'default'>;
}

const card = z.looseObject({ name: z.string(), version: z.string() }).describe('An `AgentCard` of A2A');

/** `/.well-known/agent-card.json`: public description of the agent. */
export function agentCardRoute(scope: HttpApp, { oracle, messageFiles, models }: CardDeps): void {
  const description = `${oracle.name} is an agent that one talks to.`;
  const text = ['text/plain'];
  const input = [...text, ...messageFiles.mediaTypes(models.default)];
  scope.get(
    '/.well-known/agent-card.json',
    {
      schema: {
        tags: ['a2a'],
        operationId: 'getAgentCard',
        summary: 'Get the A2A agent card',
        response: { 200: card, ...errorReplies() },
      },
    },
    async (request) => ({
      name: oracle.name,
      description,
      version,
      supportedInterfaces: [
        { url: `${request.publicUrl}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      ],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
      securitySchemes: {
        ucan: {
          httpAuthSecurityScheme: {
            scheme: 'bearer',
            bearerFormat: 'UCAN',
            description: `An invocation of * on ixo:oracle for ${oracle.did}, signed by the user`,
          },
        },
      },
      securityRequirements: [{ schemes: { ucan: { list: [] } } }],
      defaultInputModes: input,
      defaultOutputModes: text,
      skills: [
        {
          id: 'ask',
          name: `Ask ${oracle.name}`,
          description,
          tags: ['conversation'],
          inputModes: input,
          outputModes: text,
        },
      ],
      signatures: [],
    }),
  );
}
