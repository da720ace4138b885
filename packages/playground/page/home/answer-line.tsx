import { type IMessage, OracleRequestError, useChat, useOracleSessions } from '@mlango/oracle-client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AsUser } from '../chat/as-user.js';
import { oracleAddress } from '../chat/oracle-address.js';
import { useIdentity } from '../chat/use-identity.js';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';

interface AnswerLineProps {
  readonly question: string;
  /** Shown in place of the answer until it starts. */
  readonly waiting: ReactNode;
}

/** The answer of the oracle to a question: requested at the first visit of this browser, then read from its session. */
export function AnswerLine(props: AnswerLineProps) {
  return (
    <AsUser user={useIdentity()}>
      <Answer {...props} />
    </AsUser>
  );
}

function Answer({ question, waiting }: AnswerLineProps) {
  const { oracleDid } = useSettings();
  const { createSession } = useOracleSessions(oracleDid, oracleAddress);
  const [sessionId, setSessionId] = useState(readSession);
  const [problem, setProblem] = useState('');
  const { messages, sendMessage, isConfigReady, isLoading, error } = useChat({
    oracleDid,
    sessionId,
    overrides: oracleAddress,
    onPaymentRequiredError: () => setProblem('Payment required. Open the chat to see what to pay.'),
  });
  // The session may have been deleted, or be that of another user of this browser.
  const isMissing = sessionId === '' || (error instanceof OracleRequestError && error.statusCode === 404);
  const progress = useRef({ isCreated: false, isSent: false });
  useEffect(() => {
    if (!isMissing || progress.current.isCreated) return;
    progress.current.isCreated = true;
    createSession().then(
      (created) => {
        storeSession(created.sessionId);
        setSessionId(created.sessionId);
      },
      () => setProblem('The oracle is not available right now. Try again later.'),
    );
  }, [isMissing, createSession]);
  const isEmpty = messages.length === 0;
  useEffect(() => {
    if (isMissing || !isConfigReady || isLoading || !isEmpty || error !== undefined || progress.current.isSent) return;
    progress.current.isSent = true;
    sendMessage(question);
  }, [isMissing, isConfigReady, isLoading, isEmpty, error, sendMessage, question]);
  const answer = messages.find(({ type }) => type === 'ai');
  const text = answer === undefined ? '' : textOf(answer);
  const trouble = problem === '' && !isMissing ? error?.message : problem;
  if (trouble) return <p>{trouble}</p>;
  return (
    <>
      {text === '' ? waiting : <p>{text}</p>}
      {answer?.isComplete === true ? <a href={hrefOf('chat', sessionId)}>Continue in the chat →</a> : null}
    </>
  );
}

/** Its text without Markdown syntax: there is room for a line or two only. */
function textOf({ content }: IMessage): string {
  const parts = typeof content === 'string' ? [content] : content.filter((part) => typeof part === 'string');
  return parts
    .join(' ')
    .replaceAll(/^[-*] /gm, '• ')
    .replaceAll(/[*_`#]/g, '');
}

const storageKey = 'mlango home session';

/** The session of the home page's question; empty before the first visit of this browser. An answer may cost something. */
function readSession(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

/** Without storage the question is sent once per visit. */
function storeSession(sessionId: string): void {
  try {
    localStorage.setItem(storageKey, sessionId);
  } catch {
    // Full, or switched off.
  }
}
