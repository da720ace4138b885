import { inject } from 'vitest';
import type { BrokerAnswer, ServiceName } from './broker.js';
import type { TestServices } from './provided.js';
import { realServicesRequired } from './required.js';

/** The URL of the run's shared service, started by this call if it is the first one; undefined when there is none. */
export async function locate(name: ServiceName): Promise<string | undefined> {
  const services: TestServices | undefined = inject('testServices');
  const source = services?.[name];
  if (source !== undefined && 'url' in source) return source.url;
  if (source === undefined) {
    if (realServicesRequired()) throw new Error(`REQUIRE_REAL_SERVICES=1, but there is no real ${name} here`);
    return undefined;
  }
  const response = await fetch(`${source.broker}/${name}`);
  const answer = (await response.json()) as BrokerAnswer;
  if ('url' in answer) return answer.url;
  if (realServicesRequired()) throw new Error(answer.error);
  console.log(`Skipped: tests on a real ${name} (${answer.error})`);
  return undefined;
}
