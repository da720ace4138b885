import { defineTool, type PluginBoot, type PluginRoutes, ToolError } from '@mlango/oracle-api/plugin';
import { z } from 'zod';
import { weatherOf } from './weather-of.js';

/** Stores the user's home town, for all of their conversations, and reports the weather there. */
export const homeTools = [
  defineTool({
    name: 'set_home_town',
    description: 'Keeps the town that the user lives in.',
    inputSchema: z.object({ town: z.string().trim().min(1).max(100) }),
    async execute({ town }, { kv }) {
      if (!(await kv.put('home-town', town)).ok) throw new ToolError('The town cannot be kept.');
      return { town };
    },
  }),
  defineTool({
    name: 'weather_at_home',
    description: 'The weather of today in the town that the user lives in.',
    inputSchema: z.object({}),
    async execute(_nothing, { kv }) {
      const town = z.string().safeParse((await kv.get('home-town'))?.value).data;
      if (town === undefined) throw new ToolError('The user has not said where they live.');
      return weatherOf(town, 'C') ?? { town, weather: 'not known' };
    },
  }),
];

/** `GET /home-town`: the caller's own. */
export const homeRoutes =
  ({ kv }: Pick<PluginBoot, 'kv'>): PluginRoutes =>
  (app) => {
    const schema = { summary: 'Where the user lives', response: { 200: z.object({ town: z.json() }) } };
    app.get('/home-town', { schema }, async (request) => {
      const kept = await kv.ofCaller(request).get('home-town');
      return { town: kept?.value ?? null };
    });
  };
