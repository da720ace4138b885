import { loadFlows } from '../tenants/load-flows.fixture.js';
import { shippedFlows } from './read-flow.js';

/** The flow of this package, of a service named Mlango. */
export const [defaultFlow] = loadFlows(shippedFlows, { appName: 'Mlango' });
