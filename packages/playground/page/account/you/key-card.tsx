import { importBrowserIdentity } from '@mlango/oracle-client/browser-identity';
import { saveFile } from '@mlango/ussd-workbench/save-file';
import { useId } from 'react';
import { forgetThisBrowser, identityOptions, useIdentity } from '../../chat/use-identity.js';
import { FileButton } from '../../shell/file-button.js';
import { useAttempt } from '../asking/use-attempt.js';
import { AskedTwice } from '../parts/asked-twice.js';
import { OutcomeLine } from '../parts/outcome-line.js';

/** A key is some hundred characters. */
const limitBytes = 4_096;

/** The key of this browser: to be taken along, brought from elsewhere, or forgotten. */
export function KeyCard() {
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
      // All that is open belongs to the user who was here before.
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
        data are cleared. Whoever has the file is you.
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
        <AskedTwice
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
