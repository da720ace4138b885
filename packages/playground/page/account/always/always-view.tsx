import { Title } from '../../shell/title.js';
import { useAskOracle } from '../asking/use-ask-oracle.js';
import { useAsked } from '../asking/use-asked.js';
import { useAttempt } from '../asking/use-attempt.js';
import { Awaited } from '../parts/awaited.js';
import { OutcomeLine } from '../parts/outcome-line.js';
import { type Rule, toolsOf } from './rule.js';
import { RuleList } from './rule-list.js';

/** What was said of tools for good: with “Always allow” at a call, or by asking to be asked. */
export function AlwaysView() {
  const ask = useAskOracle();
  const asked = useAsked<{ readonly rules: readonly Rule[] }>('/approvals/always');
  const { outcome, isBusy, attempt } = useAttempt();

  const takeBack = (rule: Rule) =>
    attempt(async () => {
      await ask(`/approvals/always/${encodeURIComponent(rule.id)}`, 'DELETE');
      asked.askAgain();
      return rule.says === 'allow'
        ? `Taken back: ${toolsOf(rule)} is not always allowed any more.`
        : `Taken back: you are not always asked before ${toolsOf(rule)}.`;
    });

  const list = { isBusy, onTakeBack: (rule: Rule) => void takeBack(rule) };
  return (
    <>
      <div>
        <Title>Permissions</Title>
        <p className="lead">
          What the oracle may do without asking you, and what it has to ask you about. Of two that are about the same
          tool the newer one counts.
        </p>
      </div>
      <OutcomeLine outcome={outcome} />
      <Awaited asked={asked} absent="This oracle asks nobody before it uses a tool.">
        {({ rules }) => (
          <>
            <RuleList
              heading="Always allowed"
              none="Nothing yet. “Always allow”, where a tool waits for you in the chat, puts it here."
              rules={rules.filter(({ says }) => says === 'allow')}
              {...list}
            />
            <RuleList
              heading="Always asked for"
              none="Nothing yet. Tell the oracle in the chat what it should always ask you about."
              rules={rules.filter(({ says }) => says === 'ask')}
              {...list}
            />
          </>
        )}
      </Awaited>
    </>
  );
}
