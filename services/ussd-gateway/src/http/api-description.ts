import type { OpenApiOptions } from '@mlango/service-kit/http-app';

/** What the description of the API at `/docs` says of itself. The routes add themselves. */
export const apiDescription: OpenApiOptions = {
  title: 'Mlango USSD gateway',
  description: 'One call per key press of a USSD session, answered with CON or END.',
  tags: [
    { name: 'ussd', description: 'Called by telecom gateways' },
    { name: 'operators', description: 'For operators only' },
    { name: 'health', description: 'For probes' },
  ],
  securitySchemes: { operator: { type: 'http', scheme: 'bearer', description: 'The operator token' } },
};
