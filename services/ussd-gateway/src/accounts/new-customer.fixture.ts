import type { NewCustomer } from './account.js';

let serial = 0;
/** Unique names, so that tests may share a database. */
export const newCustomer = (): NewCustomer => {
  const number = String(++serial).padStart(7, '0');
  return {
    id: `C${number}X`,
    creationKey: `key-${number}`,
    fullName: 'Zoë Ngũgĩ 王',
    email: 'zoe@example.org',
    phone: `+26097${number}`,
    sealedPin: `sealed-${number}`,
  };
};
