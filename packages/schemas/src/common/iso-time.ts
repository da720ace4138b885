import { z } from 'zod';

export const isoTime = z.iso.datetime().describe('ISO 8601, UTC');
