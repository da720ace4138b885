import { importBrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { saveFile } from '@mlango/ussd-workbench/save-file';
import { useId, useState } from 'react';
import { forgetThisBrowser, identityOptions, useIdentity } from '../chat/use-identity.js';
import { linkedPhone, removeLinkedPhone } from '../link/linked-phone.js';
import { CopyButton, FileButton } from '../shell/parts.js';
import { hrefOf } from '../shell/route.js';
import { Title } from '../shell/title.js';
import { useAttempt, useDownload, useOracleRequest } from './oracle-requests.js';
import { ConfirmButton, OutcomeLine } from './parts.js';

/** Whether a phone is linked with this browser, and a link to the form. */
function PhoneCard() {
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
          ? 'Read and continue your conversation with the oracle by phone here. Link the phone with a code.'
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
              removeLinkedPhone();
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

/** A key is some hundred characters. */
const limitBytes = 4_096;

/** The key of this browser: export, import, or remove. */
function KeyCard() {
  const user = useIdentity();
  const { outcome, isBusy, attempt } = useAttempt();
  const id = useId();

  const save = () =>
    attempt(async () => {
      const key = await user.exportKey();
      if (key === undefined) throw new Error('This key cannot be exported. Forget it to get a new one that can.');
      saveFile(JSON.stringify(key, null, 1), 'application/jwk+json', 'mlango-key.json');
      return 'Saved. Keep the file as you would a password.';
    });

  const open = (file: File) =>
    attempt(async () => {
      await importBrowserIdentity(await keyIn(file), identityOptions);
      // Everything on the page belongs to the previous user.
      window.location.reload();
      return 'Opening as the user of that key…';
    });

  const forget = () =>
    attempt(async () => {
      await forgetThisBrowser(user);
      window.location.reload();
      return 'Forgotten.';
    });

  return (
    <section className="card stack" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>Your key</h2>
      <p>
        It never leaves this browser by itself. Save it to be the same person in another one, or after this browser’s
        data are cleared. The file gives full access to your account.
      </p>
      <div className="row">
        <button type="button" disabled={isBusy} onClick={() => void save()}>
          Export the key
        </button>
        <FileButton
          label="Import a key"
          accept=".json,.jwk,application/json"
          isBusy={isBusy}
          onFile={(file) => void open(file)}
        />
        <ConfirmButton
          does="Forget the key"
          really="Without a saved copy you cannot come back as this person. Forget it?"
          isBusy={isBusy}
          onSure={() => void forget()}
        />
      </div>
      <p className="quiet small">An imported key takes the place of the one that is here: export that first.</p>
      <OutcomeLine outcome={outcome} />
    </section>
  );
}

async function keyIn(file: File): Promise<unknown> {
  const unreadable = new Error('This file holds no key. Choose one that was exported here.');
  if (file.size > limitBytes) throw unreadable;
  try {
    return JSON.parse(await file.text());
  } catch {
    throw unreadable;
  }
}

interface Receipt {
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept: readonly { readonly kind: string; readonly why: string }[];
}

/** All data of the user at the oracle: to export, or to delete. */
function DataCard() {
  const request = useOracleRequest();
  const fileOf = useDownload();
  const { outcome, isBusy, attempt } = useAttempt();

  const save = () =>
    attempt(async () => {
      saveFile(await fileOf('/account/export'), 'application/zip', 'mlango-account.zip');
      return 'Saved: one file for each kind of data.';
    });

  const remove = () =>
    attempt(async () => {
      const receipt = await request<Receipt>('/account', 'DELETE');
      saveFile(JSON.stringify(receipt, null, 1), 'application/json', 'mlango-deletion-receipt.json');
      return receiptText(receipt);
    });

  return (
    <section className="card stack" aria-labelledby="data-heading">
      <h2 id="data-heading">Your data</h2>
      <p>Conversations, memories, preferences, keys and credits: everything this oracle keeps about you.</p>
      <div className="row">
        <button type="button" disabled={isBusy} onClick={() => void save()}>
          Download everything
        </button>
        <ConfirmButton
          does="Delete everything"
          really="All conversations, memories and preferences will be deleted permanently. Delete them?"
          isBusy={isBusy}
          onSure={() => void remove()}
        />
      </div>
      <OutcomeLine outcome={outcome} />
    </section>
  );
}

function receiptText({ deleted, kept: rest }: Receipt): string {
  const count = Object.values(deleted).reduce((sum, one) => sum + one, 0);
  const stays = rest.map(({ kind, why }) => `${kind} (${why})`).join('; ');
  return `Deleted: ${count} ${count === 1 ? 'item' : 'items'}. The signed receipt was saved.${stays === '' ? '' : ` Retained: ${stays}.`}`;
}

/** The identity of this browser. */
export function YouView() {
  const { did } = useIdentity();
  return (
    <>
      <div>
        <Title>You</Title>
        <p className="lead">There is no password: a key that this browser made identifies you.</p>
      </div>
      <section className="card stack" aria-labelledby="did-heading">
        <h2 id="did-heading">Your DID</h2>
        <p>The oracle, phones and programs know you by this id. It is public.</p>
        <p className="did">
          <code className="break" data-testid="did">
            {did}
          </code>
          <CopyButton text={did}>Copy</CopyButton>
        </p>
      </section>
      <PhoneCard />
      <KeyCard />
      <DataCard />
    </>
  );
}
