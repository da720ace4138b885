import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Measure } from './count.js';

/** Counts of hops by hour, as `Count` describes them. No row has a phone number, a session id or an input. */
export const screenCounts = pgTable(
  'screen_counts',
  {
    /** Empty for `batch`. */
    tenant: text('tenant').notNull(),
    hour: integer('hour').notNull(),
    flow: text('flow').notNull(),
    version: integer('version').notNull(),
    fromScreen: text('from_screen').notNull(),
    toScreen: text('to_screen').notNull(),
    measure: text('measure').$type<Measure>().notNull(),
    bucket: integer('bucket').notNull(),
    count: integer('count').notNull(),
  },
  ({ tenant, hour, flow, version, fromScreen, toScreen, measure, bucket }) => [
    primaryKey({
      name: 'screen_counts_pk',
      columns: [tenant, hour, flow, version, fromScreen, toScreen, measure, bucket],
    }),
    index('screen_counts_hour_idx').on(hour),
  ],
);
