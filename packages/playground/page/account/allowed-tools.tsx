import { Title } from '../shell/title.js';
import { useAttempt, useOracleQuery, useOracleRequest } from './oracle-requests.js';
import { formatDay, Loaded, OutcomeLine } from './parts.js';

/** What a user has said of tools for good. `*` is any. `createdAt` is ISO 8601, UTC. */
export interface Rule {
  readonly id: string;
  readonly says: 'allow' | 'ask';
  readonly plugin: string;
  readonly toolName: string;
  readonly createdAt: string;
}

/** The tools of a rule, in words. */
function toolsOf({ plugin, toolName }: Pick<Rule, 'plugin' | 'toolName'>): string {
  if (toolName === '*') return plugin === '*' ? 'all tools' : `all tools of ${plugin}`;
  return plugin === '*' ? toolName : `${toolName} (${plugin})`;
}

interface RuleListProps {
  readonly heading: string;
  /** What stands where there are none. */
  readonly none: string;
  readonly rules: readonly Rule[];
  readonly isBusy: boolean;
  readonly onTakeBack: (rule: Rule) => void;
}

function RuleList({ heading, none, rules, isBusy, onTakeBack }: RuleListProps) {
  return (
    <section className="stack" aria-label={heading}>
      <h2>{heading}</h2>
      {rules.length === 0 ? (
        <p className="empty">{none}</p>
      ) : (
        <ul className="rows">
          {rules.map((rule) => (
            <li key={rule.id}>
              <div>
                <strong className="break">{toolsOf(rule)}</strong>
                <p className="quiet small">Since {formatDay(rule.createdAt)}</p>
              </div>
              <button
                type="button"
                className="tight"
                aria-label={`Take back: ${toolsOf(rule)}`}
                disabled={isBusy}
                onClick={() => onTakeBack(rule)}
              >
                Take back
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What was said of tools for good: with “Always allow” at a call, or by asking to be asked. */
export function AlwaysView() {
  const ask = useOracleRequest();
  const asked = useOracleQuery<{ readonly rules: readonly Rule[] }>('/approvals/always');
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
      <Loaded asked={asked} absent="This oracle asks nobody before it uses a tool.">
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
      </Loaded>
    </>
  );
}
