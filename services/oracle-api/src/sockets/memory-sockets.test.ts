import { hubBusContract } from './hub-bus.contract.js';
import { MemoryHubBus } from './hub-bus.js';
import { MemoryRecoveryTickets } from './recovery.js';
import { recoveryTicketsContract } from './recovery-tickets.contract.js';

hubBusContract('memory', () => {
  const bus = new MemoryHubBus();
  return async () => bus.attach();
});
recoveryTicketsContract('memory', async () => new MemoryRecoveryTickets(Date.now));
