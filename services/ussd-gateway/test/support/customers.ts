import { expect } from 'vitest';
import type { ServiceProcess } from './service-process.js';

const PIN = '90210';

let phones = 0;

/** Types one input after the other, on a new phone; resolves with the last screen. */
async function type(service: ServiceProcess, inputs: readonly string[]): Promise<string> {
  const phoneNumber = `+2609770000${String(++phones).padStart(2, '0')}`;
  const caller = { sessionId: phoneNumber, phoneNumber };
  let screen = await service.hop('', caller);
  for (const [index] of inputs.entries()) screen = await service.hop(inputs.slice(0, index + 1).join('*'), caller);
  return screen;
}

/** Id of a new customer with that PIN. */
export async function signUp(service: ServiceProcess, name: string): Promise<string> {
  const screen = await type(service, ['2', '2', name, '00', PIN, PIN]);
  return /C[0-9A-Z]{8}/.exec(screen)?.[0] ?? screen;
}

export async function logsIn(service: ServiceProcess, id: string): Promise<void> {
  expect(await type(service, ['2', '1', id, PIN])).toMatch(/^CON Welcome, /);
}
