import type { creditAccount } from '@mlango/schemas/oracle-credits';
import type { z } from 'zod';

/** How a user stands, in tokens. */
export type CreditAccount = z.output<typeof creditAccount>;
