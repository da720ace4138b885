import formbody from '@fastify/formbody';
import { ussdLimits } from '@mlango/schemas/ussd';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { originOf } from '../aggregator-settings.js';
import { assertAggregators } from '../aggregators/check-aggregators.js';
import { aggregatorIds, aggregators } from '../aggregators/registry.js';
import type { Deps } from '../deps.js';
import { answerDoor, type DoorServing } from './aggregator-door.js';
import { originCheck } from './aggregator-origin.js';
import { countHops } from './count-hops.js';

/** An endpoint for each door of each aggregator. Those that send forms stand apart: nobody else may. */
export async function aggregatorRoutes(
  app: HttpApp,
  deps: Deps,
  isTrusted: (address: string) => boolean,
): Promise<void> {
  const { config } = deps;
  const countHopsOf = countHops(deps.metrics);
  const rules = { serviceCodeLevels: config.SERVICE_CODE_LEVELS };
  const served = aggregatorIds.map((id) => ({ id, aggregator: aggregators[id](rules) }));
  assertAggregators(served.map(({ aggregator }) => aggregator));

  await app.register(async (forms) => {
    await forms.register(formbody, { bodyLimit: ussdLimits.bodyBytes });
    for (const { id, aggregator } of served) {
      const serving: DoorServing = {
        deps,
        countHop: countHopsOf(id),
        isTrusted,
        aggregator,
        checkOrigin: originCheck(originOf(id, config)),
      };
      for (const door of aggregator.doors) answerDoor(door.form ? forms : app, door, serving);
    }
  });
}
