import { hubBusContract } from './hub-bus.contract.js';
import { MemoryHubBus } from './memory-hub-bus.js';
import { MemoryRecoveryTickets } from './memory-recovery-tickets.js';
import { recoveryTicketsContract } from './recovery-tickets.contract.js';

hubBusContract('memory', () => {
  const bus = new MemoryHubBus();
  return async () => bus.attach();
});
recoveryTicketsContract('memory', async () => new MemoryRecoveryTickets(Date.now));
