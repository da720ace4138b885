import { saveFile } from '@mlango/ussd-workbench/save-file';
import { useAskOracle } from '../asking/use-ask-oracle.js';
import { useAttempt } from '../asking/use-attempt.js';
import { useFileOfOracle } from '../asking/use-file-of-oracle.js';
import { AskedTwice } from '../parts/asked-twice.js';
import { OutcomeLine } from '../parts/outcome-line.js';

interface Receipt {
  readonly deleted: Readonly<Record<string, number>>;
  readonly kept: readonly { readonly kind: string; readonly why: string }[];
}

/** All that the oracle keeps of the user: to take along, or to have deleted. */
export function DataCard() {
  const ask = useAskOracle();
  const fileOf = useFileOfOracle();
  const { outcome, isBusy, attempt } = useAttempt();

  const save = () =>
    attempt(async () => {
      saveFile(await fileOf('/account/export'), 'application/zip', 'mlango-account.zip');
      return 'Saved: one file for each kind of data.';
    });

  const remove = () =>
    attempt(async () => {
      const receipt = await ask<Receipt>('/account', 'DELETE');
      saveFile(JSON.stringify(receipt, null, 1), 'application/json', 'mlango-deletion-receipt.json');
      return toldReceipt(receipt);
    });

  return (
    <section className="card stack" aria-labelledby="data-heading">
      <h2 id="data-heading">Your data</h2>
      <p>Conversations, memories, preferences, keys and credits: everything this oracle keeps about you.</p>
      <div className="row">
        <button type="button" disabled={isBusy} onClick={() => void save()}>
          Download everything
        </button>
        <AskedTwice
          does="Delete everything"
          really="All conversations, memories and preferences will be gone for good. Delete them?"
          isBusy={isBusy}
          onSure={() => void remove()}
        />
      </div>
      <OutcomeLine outcome={outcome} />
    </section>
  );
}

function toldReceipt({ deleted, kept }: Receipt): string {
  const count = Object.values(deleted).reduce((sum, one) => sum + one, 0);
  const stays = kept.map(({ kind, why }) => `${kind} (${why})`).join('; ');
  return `Deleted: ${count} ${count === 1 ? 'thing' : 'things'}. The signed receipt was saved.${stays === '' ? '' : ` Kept: ${stays}.`}`;
}
