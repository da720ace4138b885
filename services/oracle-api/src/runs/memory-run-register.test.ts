import { MemoryRunRegister } from './memory-run-register.fixture.js';
import { runRegisterContract } from './run-register.contract.js';

runRegisterContract('memory', () => {
  const sessions = new Set<string>();
  let nowMs = 0;
  return {
    register: new MemoryRunRegister(
      async (...session) => sessions.has(session.join(' ')),
      () => nowMs++,
    ),
    deleteSession: async (...session) => sessions.delete(session.join(' ')),
    addSession: async (...session) => sessions.add(session.join(' ')),
  };
});
