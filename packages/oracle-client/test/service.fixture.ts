import { inject } from 'vitest';
import './shared-service.setup.js';

/** The real service, with the rehearsal plugin, which all tests share. */
export const { baseUrl, oracleDid } = inject('oracle');

/** Releases scripts that wait for a gate. Gates need unique names: all tests share them. */
export const openGate = (gate: string) => tell(`open/${gate}`);

/** Makes messages of a session chargeable; without claims they are free again. */
export const demandPayment = (sessionId: string, claims: readonly string[]) => tell('unpaid', { sessionId, claims });

async function tell(path: string, body: object = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${baseUrl}/rehearsal/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(await reply.text());
}
