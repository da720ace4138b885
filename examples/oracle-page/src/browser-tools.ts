import type { IBrowserTool } from '@mlango/oracle-client';
import { z } from 'zod';

/** What the oracle may call in this tab. */
export const browserTools: Readonly<Record<string, IBrowserTool>> = {
  read_clock: {
    toolName: 'read_clock',
    description: "Tells the time on the user's own clock.",
    schema: z.object({ withSeconds: z.boolean().optional() }),
    fn: ({ withSeconds = false }: { withSeconds?: boolean }) => ({
      time: new Date().toLocaleTimeString([], { timeStyle: withSeconds ? 'medium' : 'short' }),
    }),
  },
};
