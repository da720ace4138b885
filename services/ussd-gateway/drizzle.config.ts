import { defineConfig } from 'drizzle-kit';

/** `pnpm migration` writes the next migration after a change of the schema. Migrations run at start. */
export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/accounts/schema.ts',
    './src/analytics/schema.ts',
    './src/effects/schema.ts',
    './src/phone-identity/schema.ts',
  ],
  out: './drizzle',
});
