import { Component, type ReactNode } from 'react';

/** Keeps what goes wrong behind one door from taking the others along. */
export class FailureBoundary extends Component<{ readonly children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="notice bad stack" role="alert">
        <p>This door is stuck: its part of the page could not be loaded or shown.</p>
        <p>
          <button type="button" onClick={() => window.location.reload()}>
            Load the page again
          </button>
        </p>
      </div>
    );
  }
}
