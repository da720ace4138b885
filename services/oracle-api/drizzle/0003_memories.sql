-- The table is the plugin memory's own: src/plugins/memory/migrations.ts. This is here for databases that have seen it.
SELECT 1;
