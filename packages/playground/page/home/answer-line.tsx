import { type IMessage, useChat, useOracleSessions } from '@mlango/oracle-client';
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

/** Sends a message to the oracle in a new session and shows its answer. */
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
  const [sessionId, setSessionId] = useState('');
  const [problem, setProblem] = useState('');
  const { messages, sendMessage, isConfigReady, isLoading, error } = useChat({
    oracleDid,
    sessionId,
    overrides: oracleAddress,
    onPaymentRequiredError: () => setProblem('Payment required. Open the chat to see what to pay.'),
  });
  const done = useRef({ begun: false, sent: false });
  useEffect(() => {
    if (done.current.begun) return;
    done.current.begun = true;
    createSession().then(
      (created) => setSessionId(created.sessionId),
      () => setProblem('The oracle is not available right now. Try again later.'),
    );
  }, [createSession]);
  useEffect(() => {
    if (sessionId === '' || !isConfigReady || isLoading || done.current.sent) return;
    done.current.sent = true;
    sendMessage(question);
  }, [sessionId, isConfigReady, isLoading, sendMessage, question]);
  const answer = messages.findLast(({ type }) => type === 'ai');
  const said = answer === undefined ? '' : textOf(answer);
  const trouble = problem === '' ? error?.message : problem;
  if (trouble !== undefined) return <p>{trouble}</p>;
  return (
    <>
      {said === '' ? waiting : <p>{said}</p>}
      {answer?.isComplete === true ? <a href={hrefOf('chat', sessionId)}>Continue in the chat →</a> : null}
    </>
  );
}

/** Its text without Markdown syntax: there is room for a line or two only. */
function textOf({ content }: IMessage): string {
  const parts = typeof content === 'string' ? [content] : content.filter((part) => typeof part === 'string');
  return parts.join(' ').replaceAll(/[*_`#]/g, '');
}
