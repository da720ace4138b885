import { useState } from 'react';
import { forgetLinkedPhone, linkedPhone } from '../../link/linked-phone.js';
import { hrefOf } from '../../shell/route.js';

/** Whether a phone is linked with this browser, and where that is done. */
export function PhoneCard() {
  const [phone, setPhone] = useState(linkedPhone);
  return (
    <section className="card stack" aria-labelledby="phone-heading">
      <div className="row spread">
        <h2 id="phone-heading">A phone</h2>
        <span className={phone === undefined ? 'badge' : 'badge good'}>
          {phone === undefined ? 'Not linked' : 'Linked'}
        </span>
      </div>
      <p>
        {phone === undefined
          ? 'Read here what you ask the oracle by phone, and continue the conversation. A code links the two.'
          : 'This browser reads the conversation of a phone until the phone ends the link.'}
      </p>
      <div className="row">
        <a className="button" href={hrefOf('phone', 'link')}>
          {phone === undefined ? 'Link a phone' : 'Read its conversation'}
        </a>
        {phone === undefined ? null : (
          <button
            type="button"
            onClick={() => {
              forgetLinkedPhone();
              setPhone(undefined);
            }}
          >
            Unlink this browser
          </button>
        )}
      </div>
    </section>
  );
}
