-- The tables are the plugin credits' own: src/plugins/credits/migrations.ts. This is here for databases that have seen it.
SELECT 1;
