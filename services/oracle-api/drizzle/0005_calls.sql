-- The tables are the plugin calls' own: src/plugins/calls/migrations.ts. This is here for databases that have seen it.
SELECT 1;
