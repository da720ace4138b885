import { type EnvSource, list, readEnv } from '@mlango/service-kit/env';
import { z } from 'zod';
import type { Feature, Features } from './plugins/host/resolve-features.js';

const switches: ReadonlyMap<string, Feature> = new Map<string, Feature>([
  ['on', true],
  ['off', false],
  ['auto', 'auto'],
]);

/** A comma-separated list of switches: `slack=off,credits=on,chain=auto`. None by default; the last of a name counts. */
const featureSwitches = () =>
  list().transform((items, context): Features => {
    const pairs = items.map((item) => item.split('=').map((part) => part.trim()));
    const found = pairs.flatMap(([name = '', word = '', ...rest]): [string, Feature][] => {
      const feature = switches.get(word);
      return name === '' || feature === undefined || rest.length > 0 ? [] : [[name, feature]];
    });
    if (found.length < pairs.length) {
      const message = 'must be a comma-separated list of plugins, each =on, =off or =auto, such as slack=off';
      context.issues.push({ code: 'custom', message, input: undefined });
    }
    return Object.fromEntries(found);
  });

const shape = z.object({ FEATURES: featureSwitches() });

/**
 * Which plugins are on: what the code says, unless whoever runs the oracle says otherwise.
 * @throws {EnvError} for a malformed `FEATURES`.
 */
export function featuresOf(coded: Features | undefined, env: EnvSource): Features {
  return { ...coded, ...readEnv(shape, env).FEATURES };
}
