import { definePlugin, defineTool, ServiceError, ToolError } from '@mlango/oracle-api/plugin';
import { z } from 'zod';
import { homeRoutes, homeTools } from './home-town.js';
import { weatherOf } from './weather-of.js';

const weatherReply = z.object({ city: z.string(), degrees: z.number(), unit: z.enum(['C', 'F']), sky: z.string() });
const problem = z.object({ statusCode: z.number(), error: z.string(), message: z.string() });

/** Reports the weather: to the agent by its tools, to the public at `GET /weather/:city`. Stores the home towns of users. */
export const weatherPlugin = definePlugin({
  name: 'weather',
  version: '1.0.0',
  manifest: {
    title: 'Weather',
    summary: 'Knows the weather of some cities.',
    whenToUse: 'the user asks about the weather of a place.',
    visibility: 'always',
  },
  configSchema: z.object({ WEATHER_UNIT: z.enum(['C', 'F'], 'must be C or F').default('C') }),
  getTools: ({ config }) => [
    ...homeTools,
    defineTool({
      name: 'weather',
      description: 'The weather of a city today.',
      effects: 'none',
      inputSchema: z.object({ city: z.string().trim().min(1).max(100) }),
      execute({ city }) {
        const weather = weatherOf(city, config.WEATHER_UNIT);
        if (weather === undefined) throw new ToolError(`The weather of ${city} is not known.`);
        return weather;
      },
    }),
    defineTool({
      name: 'warn',
      description: 'Warns everybody in a city of its weather.',
      effects: 'outside',
      inputSchema: z.object({ city: z.string().trim().min(1).max(100) }),
      needsApproval: ({ city }) => ({ title: `Warn everybody in ${String(city)}`, reason: 'It cannot be taken back.' }),
      execute: ({ city }) => ({ city, warned: true }),
    }),
  ],
  getRoutes: ({ config, kv }) => [
    homeRoutes({ kv }),
    (app) => {
      app.get(
        '/weather/:city',
        {
          schema: {
            summary: 'The weather of a city today',
            params: z.object({ city: z.string().min(1).max(100) }),
            response: { 200: weatherReply, 404: problem },
          },
        },
        async ({ params }) => {
          const weather = weatherOf(params.city, config.WEATHER_UNIT);
          if (weather === undefined) throw new ServiceError('not_found', 'The weather of this city is not known');
          return weather;
        },
      );
    },
  ],
  getAuthExcludedRoutes: () => [{ method: 'GET', path: '/weather/:city' }],
});
