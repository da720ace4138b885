import { useAnswer } from './asking/use-answer.js';
import { useQueryPath } from './description/description-context.js';

/** About as often as there is a block. */
const BLOCK_MS = 6_000;

/** The last block of the node, as long as the view is open. */
export function HeightStrip() {
  const path = useQueryPath('cosmos.base.node.v1beta1.Service.Status');
  const { answer } = useAnswer(path, BLOCK_MS);
  const { height } = (answer?.ok === true ? answer.body : {}) as { height?: string };
  const isAway = answer !== undefined && !answer.ok;
  return (
    <p className="height-strip small">
      <span className={`lamp ${isAway ? 'off' : height === undefined ? '' : 'on'}`} aria-hidden="true" />
      {isAway ? (
        'The chain node is away'
      ) : (
        <>Block {height === undefined ? '…' : Number(height).toLocaleString('en')}</>
      )}
    </p>
  );
}
