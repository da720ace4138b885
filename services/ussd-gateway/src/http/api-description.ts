import { randomBytes, randomInt } from 'node:crypto';
import type { HttpApp, OpenApiOptions, SandboxValues } from '@mlango/service-kit/http-app';
import type { OperatorAccess } from '@mlango/service-kit/operator-access';

/** The head of the API description at `/docs`; each route describes itself. */
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

const code = '*384#';

/** The inputs that sign up a new user in the default menu. */
const signUp = (pin: string) => ['2', '2', 'Asha Try', '00', pin, pin];

/**
 * Creates a signed-up test subscriber with an open session, and opens the operator routes to the docs page while this process runs. Not
 * for production.
 */
export function tryAsNewUser({ token, docsTrialToken }: OperatorAccess) {
  return async (app: Pick<HttpApp, 'inject'>): Promise<SandboxValues> => {
    const phoneNumber = `+26097${randomInt(1_000_000, 10_000_000)}`;
    const hop = async (sessionId: string, text: string): Promise<string> => {
      const payload = { sessionId, serviceCode: code, phoneNumber, text };
      return (await app.inject({ method: 'POST', url: '/api/ussd', payload })).body;
    };
    const sessionId = `try-${randomBytes(6).toString('hex')}`;
    const typed: string[] = [];
    let screen = await hop(`${sessionId}-0`, '');
    for (const input of signUp(String(randomInt(10_000, 100_000)))) {
      typed.push(input);
      screen = await hop(`${sessionId}-0`, typed.join('*'));
    }
    await hop(sessionId, '');
    const customerId = /\bC[0-9A-Z]{8}\b/.exec(screen)?.[0];
    const debug = { 'GET /api/ussd/debug/{sessionId}': { parameters: { sessionId } } };
    const body = { sessionId, serviceCode: code, phoneNumber, text: '1' };
    return {
      locks: token === undefined || docsTrialToken === undefined ? {} : { operator: docsTrialToken },
      parameters: customerId === undefined ? {} : { customerId },
      operations: { ...debug, 'POST /api/ussd': { body } },
    };
  };
}
