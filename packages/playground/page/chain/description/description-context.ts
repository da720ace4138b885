import { createContext, useContext } from 'react';
import { segmentOf } from '../../shell/use-route.js';
import { type OperationGroup, pathOf } from './description.js';

/** What the gateway of this deployment serves. */
export const DescriptionContext = createContext<readonly OperationGroup[]>([]);

/** The path of a method with values in place of its parameters; undefined where it is not served. */
export function useQueryPath(method: string, values: Readonly<Record<string, string>> = {}): string | undefined {
  const template = pathOf(useContext(DescriptionContext), method);
  return template?.replace(/\{([^}]+)\}/g, (_, name: string) => segmentOf(values[name] ?? ''));
}
