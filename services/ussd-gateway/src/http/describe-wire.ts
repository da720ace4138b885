import { withExample } from '@mlango/service-kit/with-example';
import { z } from 'zod';
import type { Door } from '../aggregators/adapter.js';

/** What an endpoint takes, for the API description. */
export function describeWire({ method, wire, inPath, example }: Door) {
  const entries = Object.entries(wire.shape) as [string, z.ZodType][];
  const isOf = (isInPath: boolean, name: string) => inPath.includes(name) === isInPath;
  const part = (isInPath: boolean) => z.object(Object.fromEntries(entries.filter(([name]) => isOf(isInPath, name))));
  const given = (isInPath: boolean) => Object.entries(example).filter(([name]) => isOf(isInPath, name));
  // A body is shown as a whole; what stands in an address, part by part.
  const inAddress = (isInPath: boolean) =>
    part(isInPath).extend(
      Object.fromEntries(given(isInPath).map(([name, value]) => [name, shownAs(wire, name, value)])),
    );
  return {
    ...(method === 'GET'
      ? { querystring: inAddress(false) }
      : { body: withExample(part(false), Object.fromEntries(given(false))) }),
    ...(inPath.length === 0 ? {} : { params: inAddress(true) }),
  };
}

function shownAs(wire: z.ZodObject, name: string, example: unknown): z.ZodType {
  return (wire.shape[name] as z.ZodType).meta({ example });
}
