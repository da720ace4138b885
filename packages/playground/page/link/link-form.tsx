import type { BrowserIdentity, ConverseGrant } from '@mlango/oracle-client/browser-identity';
import { type FormEvent, useState } from 'react';

const base = '/ussd/api/ussd/link';

/** Links the user of this browser with the phone of a code. Rejects with a message for the user. */
function claimPhone(user: BrowserIdentity, code: string): Promise<ConverseGrant> {
  return call(user, base, { code });
}

/** A code to enter on a phone, and its validity in minutes. Rejects with a message for the user. */
function makeCode(user: BrowserIdentity): Promise<{ readonly code: string; readonly minutes: number }> {
  return call(user, `${base}/codes`);
}

async function call<Reply>(user: BrowserIdentity, path: string, body: object = {}): Promise<Reply> {
  const { did } = await answerOf<{ did: string }>(await fetch(base));
  const { serialized } = await user.createInvocation(did);
  const headers = { 'content-type': 'application/json', 'x-auth-type': 'ucan', authorization: `Bearer ${serialized}` };
  return answerOf(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }), path);
}

const off = 'Phones cannot be linked here: this gateway has no oracle.';
const unknown = 'This code is not valid. Check it, or type it on the phone first.';

async function answerOf<Reply>(reply: Response, path?: string): Promise<Reply> {
  const body = (await reply.json()) as Reply & { readonly message?: string };
  if (reply.ok) return body;
  if (reply.status === 404) throw new Error(path === base ? unknown : off);
  throw new Error(body.message ?? `The gateway refused the request (${reply.status}). Try again.`);
}

interface LinkFormProps {
  readonly user: BrowserIdentity;
  readonly onLinked: (phone: ConverseGrant) => void;
}

/** Links this browser with a phone, by a code of either. */
export function LinkForm({ user, onLinked }: LinkFormProps) {
  const [made, setMade] = useState<{ readonly code: string; readonly minutes: number }>();
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);

  async function attempt(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    try {
      await work();
      setProblem('');
    } catch (error) {
      setProblem(
        error instanceof Error
          ? error.message
          : 'The gateway cannot be reached. Check your connection, then try again.',
      );
    }
    setIsBusy(false);
  }

  const claim = (code: string) => attempt(async () => onLinked(await claimPhone(user, code)));

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get('code');
    if (typeof code === 'string') void claim(code.trim());
  }

  return (
    <>
      {problem === '' ? null : (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      <form className="card stack" onSubmit={submit}>
        <h2>Enter a code from the phone</h2>
        <p className="quiet">
          On the phone, dial, choose to read on the web and request a code. Enter it here within ten minutes.
        </p>
        <label>
          Code from the phone <input name="code" required maxLength={40} autoComplete="off" spellCheck={false} />
        </label>
        <p>
          <button type="submit" className="primary" disabled={isBusy}>
            Link this browser
          </button>
        </p>
      </form>
      <section className="card stack" aria-labelledby="made-heading">
        <h2 id="made-heading">Enter a code on the phone</h2>
        {made === undefined ? (
          <p>
            <button
              type="button"
              disabled={isBusy}
              onClick={() => void attempt(async () => setMade(await makeCode(user)))}
            >
              Get a code
            </button>
          </p>
        ) : (
          <>
            <p>
              Enter <strong data-testid="made-code">{made.code}</strong> on the phone within {made.minutes} minutes. Do
              not share it.
            </p>
            <p>
              <button type="button" disabled={isBusy} onClick={() => void claim(made.code)}>
                I entered it
              </button>
            </p>
          </>
        )}
      </section>
    </>
  );
}
