import { Title } from '../shell/title.js';
import { useAttempt, useOracleQuery, useOracleRequest } from './oracle-requests.js';
import { formatDay, Loaded, OutcomeLine } from './parts.js';

/** A standing decision on tools. `*` is any tool. `createdAt` is ISO 8601, UTC. */
export interface Rule {
  readonly id: string;
  readonly says: 'allow' | 'ask';
  readonly plugin: string;
  readonly toolName: string;
  readonly createdAt: string;
}

const isPermission = ({ says }: Rule): boolean => says === 'allow';

/** The tools of a rule, in words. */
function toolsOf({ plugin, toolName }: Pick<Rule, 'plugin' | 'toolName'>): string {
  if (toolName === '*') return plugin === '*' ? 'all tools' : `all tools of ${plugin}`;
  return plugin === '*' ? toolName : `${toolName} (${plugin})`;
}

interface RuleListProps {
  readonly heading: string;
  /** Shown if there are none. */
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

/** The permanent decisions on tools: “Always allow” at a call, or approval always required by a message in the chat. */
export function AlwaysView() {
  const request = useOracleRequest();
  const query = useOracleQuery<{ readonly rules: readonly Rule[] }>('/approvals/always');
  const { outcome, isBusy, attempt } = useAttempt();

  const takeBack = (rule: Rule) =>
    attempt(async () => {
      await request(`/approvals/always/${encodeURIComponent(rule.id)}`, 'DELETE');
      query.retry();
      return isPermission(rule)
        ? `Removed: ${toolsOf(rule)} needs your approval.`
        : `Removed: the oracle may use ${toolsOf(rule)} without your approval.`;
    });

  const list = { isBusy, onTakeBack: (rule: Rule) => void takeBack(rule) };
  return (
    <>
      <div>
        <Title>Permissions</Title>
        <p className="lead">
          What the oracle may do without your approval, and what needs it. Of two rules about the same tool the newer
          one counts.
        </p>
      </div>
      <OutcomeLine outcome={outcome} />
      <Loaded query={query} absent="This oracle uses tools without approval.">
        {({ rules }) => (
          <>
            <RuleList
              heading="Always allowed"
              none="Nothing yet. “Always allow”, where a tool waits for you in the chat, puts it here."
              rules={rules.filter(isPermission)}
              {...list}
            />
            <RuleList
              heading="Always ask before"
              none="No tools yet. Write to the oracle in the chat which tools need your approval."
              rules={rules.filter((rule) => !isPermission(rule))}
              {...list}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
