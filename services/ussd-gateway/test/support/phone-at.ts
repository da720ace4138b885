import type { ServiceProcess } from './service-process.js';

let dials = 0;

/** A phone that dials a service, and types one input after the other. */
export function phoneAt(service: () => ServiceProcess, phoneNumber: string) {
  let caller = { phoneNumber, sessionId: '' };
  let text = '';
  return {
    dial: () => {
      dials += 1;
      caller = { phoneNumber, sessionId: `dial-${dials}` };
      text = '';
      return service().hop('', caller);
    },
    type: (input: string) => {
      text = text === '' ? input : `${text}*${input}`;
      return service().hop(text, caller);
    },
  };
}
