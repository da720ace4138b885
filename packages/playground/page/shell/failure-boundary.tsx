import { Component, type ReactNode } from 'react';

/** Isolates an error in one page from the others. */
export class FailureBoundary extends Component<{ readonly children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="notice bad stack" role="alert">
        <p>This part of the page could not be loaded. Check your connection, then reload.</p>
        <p>
          <button type="button" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        </p>
      </div>
    );
  }
}
