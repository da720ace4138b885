import { loadFlows, shippedFlows } from './in-service.js';

/** The dialogue of this package, of a service named Mlango. */
export const [defaultFlow] = loadFlows(shippedFlows, { appName: 'Mlango' });
