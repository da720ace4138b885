import type { IChat } from '@mlango/oracle-client';

/** How the chat stands: its socket, what it does, and the run that answers. */
export function ConnectionStrip({ chat }: { readonly chat: IChat }) {
  const { isRealTimeConnected, isAnsweringElsewhere, status, run } = chat;
  return (
    <div className="connection small">
      <span className="row">
        <span className={`lamp ${isRealTimeConnected ? 'on' : 'off'}`} aria-hidden="true" />
        <span data-testid="socket">{isRealTimeConnected ? 'Connected' : 'Not connected'}</span>
      </span>
      <span className="row">
        <span className="badge accent" data-testid="status" role="status">
          {status}
        </span>
        <span data-testid="elsewhere" role="status">
          {isAnsweringElsewhere ? 'Answering in another tab' : ''}
        </span>
      </span>
      <span className="quiet mono run">{run === undefined ? '' : `run ${run.runId.slice(0, 8)} ${run.status}`}</span>
    </div>
  );
}
