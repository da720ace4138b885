import { definePlugin, defineTool, type PluginDatabase, ToolError } from '@mlango/oracle-api/plugin';
import { eq, pgTable, text } from '@mlango/oracle-api/tables';
import { z } from 'zod';
import { weatherOf } from './weather-of.js';

const towns = pgTable('home_towns', { did: text('did').primaryKey(), town: text('town').notNull() });
const migrations = [{ name: '0', sql: ['CREATE TABLE home_towns (did text PRIMARY KEY, town text NOT NULL)'] }];
const whenToUse = 'the user says where they live, or asks for the weather there.';

/** Stores users' home towns, in a table. */
export const homePlugin = definePlugin({
  name: 'home',
  version: '1.0.0',
  manifest: { title: 'Home', summary: 'Knows where the user lives.', whenToUse, visibility: 'always' },
  tables: { names: ['home_towns'], migrations, open: (db: PluginDatabase) => db },
  getTools: ({ own: db }) => [
    defineTool({
      name: 'set_home_town',
      description: 'Keeps the town that the user lives in.',
      effects: 'inside',
      inputSchema: z.object({ town: z.string().trim().min(1).max(100) }),
      async execute({ town }, { user: { did } }) {
        await db.insert(towns).values({ did, town }).onConflictDoUpdate({ target: towns.did, set: { town } });
        return { town };
      },
    }),
    defineTool({
      name: 'weather_at_home',
      description: 'The weather of today in the town that the user lives in.',
      effects: 'none',
      inputSchema: z.object({}),
      async execute(_nothing, { user: { did } }) {
        const [home] = await db.select().from(towns).where(eq(towns.did, did));
        if (home === undefined) throw new ToolError('The user has not said where they live.');
        return weatherOf(home.town, 'C') ?? { town: home.town, weather: 'not known' };
      },
    }),
  ],
});
