import '@mlango/oracle-client/ui.css';
import { type IChat, type IMessage, OraclesProvider } from '@mlango/oracle-client';
import { Thread, UiRoot } from '@mlango/oracle-client/ui';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

// A chat of the client's components, with an answer that arrives as a model writes it: prose, a table of 200 rows, code.

const prose = (from: number, paragraphs: number) =>
  Array.from(
    { length: paragraphs },
    (_, at) =>
      `Paragraph ${from + at} says **something** with a [link](https://a.example/${at}) and \`code\`, and goes on for a while.\n\n- one\n- two *three*\n`,
  ).join('\n');
const rows = Array.from(
  { length: 200 },
  (_, at) => `|${at}|Name **${at}**|[place](https://b.example/${at})|${at * 7}|`,
);
const code = Array.from({ length: 60 }, (_, at) => `const value${at}: number = call(${at}, "text");`);
const answer = `# Title\n\n${prose(0, 30)}\n|#|Name|Where|Sum|\n|-|-|-|-:|\n${rows.join('\n')}\n\n\`\`\`ts\n${code.join('\n')}\n\`\`\`\n\n${prose(30, 5)}`;

const said = (id: string, type: 'human' | 'ai', content: string, isComplete = true): IMessage => ({
  id,
  type,
  content,
  isComplete,
});
const earlier = Array.from({ length: 10 }, (_, at) => [
  said(`q${at}`, 'human', `Question ${at}`),
  said(`a${at}`, 'ai', prose(at, 5)),
]).flat();
const nothing = () => undefined;
const never = () => Promise.reject(new Error('nobody is there'));
const acts = { edit: nothing, regenerate: nothing, resend: nothing, selectBranch: never, openAttachment: never };

const root = createRoot(document.getElementById('root') as HTMLElement);
const wallet = { address: '', did: 'did:key:zReader', matrix: { accessToken: '', homeServer: '' } };
function show(chars: number): void {
  const isComplete = chars >= answer.length;
  const messages = [
    ...earlier,
    said('question', 'human', 'And?'),
    said('answer', 'ai', answer.slice(0, chars), isComplete),
  ];
  const chat = {
    messages,
    isSending: !isComplete,
    status: isComplete ? 'ready' : 'streaming',
    hasEarlier: false,
    ...acts,
  };
  flushSync(() =>
    root.render(
      <OraclesProvider initialWallet={wallet} transactSignX={never} createDelegation={never}>
        <UiRoot className="mlango-chat">
          <Thread chat={chat as unknown as IChat} />
        </UiRoot>
      </OraclesProvider>,
    ),
  );
}

const drawn = () => new Promise(requestAnimationFrame);

export interface Streamed {
  /** Script time of each frame, in ms. */
  readonly scriptMs: readonly number[];
  /** By how much what somebody reads further up was moved, pixels at most. */
  readonly movedPx: number;
  readonly rows: number;
}

/** @param isReading somebody has gone up, and reads an earlier answer */
async function stream(tokensPerSecond: number, isReading: boolean): Promise<Streamed> {
  const charsOfFrame = (tokensPerSecond * 4) / 60;
  show(1);
  const box = document.querySelector('.mlango-scroll') as HTMLElement;
  const isAtEnd = () => box.scrollHeight - box.clientHeight - box.scrollTop < 1;
  // The earlier messages are rendered once the code for Markdown has loaded, and the end is in view.
  while (document.querySelector('.mlango-written') !== null || !isAtEnd()) await drawn();
  for (let frame = 0; frame < 5; frame++) await drawn();
  if (isReading) {
    box.scrollTop = 400;
    while (document.querySelector('.mlango-to-latest') === null) await drawn();
  }
  const read = document.querySelector('[data-message="a3"]') as HTMLElement;
  const before = read.getBoundingClientRect().top;
  const scriptMs: number[] = [];
  let movedPx = 0;
  for (let chars = charsOfFrame; chars < answer.length + charsOfFrame; chars += charsOfFrame) {
    await drawn();
    const from = performance.now();
    show(Math.min(answer.length, Math.floor(chars)));
    scriptMs.push(performance.now() - from);
    if (isReading) movedPx = Math.max(movedPx, Math.abs(read.getBoundingClientRect().top - before));
  }
  return { scriptMs, movedPx, rows: document.querySelectorAll('[data-message="answer"] tbody tr').length };
}

Object.assign(globalThis, { stream });
