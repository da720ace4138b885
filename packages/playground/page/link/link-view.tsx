import type { ConverseGrant } from '@mlango/oracle-client/browser-identity';
import { useMemo, useState } from 'react';
import { AsUser } from '../chat/as-user.js';
import { useIdentity } from '../chat/use-identity.js';
import { Title } from '../shell/title.js';
import { LinkForm } from './link-form.js';
import { forgetLinkedPhone, keepLinkedPhone, linkedPhone } from './linked-phone.js';
import { PhoneTalk } from './phone-talk.js';
import '@mlango/oracle-client/ui.css';
import '../chat/chat.css';

/** Where this browser is linked with a phone, and reads along. */
export function LinkView({ route: [, sessionId] }: { readonly route: readonly string[] }) {
  return (
    <div className="stack">
      <div>
        <Title>Conversations of a phone</Title>
        <p className="lead">
          Read here what you ask the oracle by phone, and continue the conversation. A code links this browser to the
          phone; the phone can end the link.
        </p>
      </div>
      {window.isSecureContext ? (
        <Linked sessionId={sessionId} />
      ) : (
        <p className="notice bad">
          This page is not secure, so your browser keeps no key for it. Open it over HTTPS, or at 127.0.0.1.
        </p>
      )}
    </div>
  );
}

function Linked({ sessionId }: { readonly sessionId: string | undefined }) {
  const user = useIdentity();
  const [phone, setPhone] = useState<ConverseGrant | undefined>(linkedPhone);
  const acting = useMemo(() => (phone === undefined ? undefined : user.actFor(phone)), [user, phone]);

  function link(linked: ConverseGrant): void {
    keepLinkedPhone(linked);
    setPhone(linked);
  }

  function forget(): void {
    forgetLinkedPhone();
    setPhone(undefined);
  }

  if (acting === undefined) return <LinkForm user={user} onLinked={link} />;
  return (
    <AsUser user={acting} who="A phone">
      <PhoneTalk sessionId={sessionId} onForget={forget} />
    </AsUser>
  );
}
