import { hrefOf } from '../shell/route.js';

/** Leads from a refused message to where it can be paid for; the message stays, with Retry. */
export function WayToPay() {
  return (
    <p>
      <a href={hrefOf('account', 'credits')}>See your credits and top up</a>
    </p>
  );
}
