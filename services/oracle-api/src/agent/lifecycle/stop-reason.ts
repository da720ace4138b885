/**
 * Why a turn ends before its model does: the user aborted it, a newer message took its place, the process shuts down,
 * it took too long, or another process has taken its run over.
 */
export type StopReason = 'aborted' | 'superseded' | 'shutdown' | 'timeout' | 'lost';

class TurnStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`turn stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Stops a turn; the first reason stands. */
export function stop(controller: AbortController, reason: StopReason): void {
  controller.abort(new TurnStopped(reason));
}

/** Why the turn of this signal was stopped; undefined while it was not. */
export function stopReason(signal: AbortSignal): StopReason | undefined {
  return signal.reason instanceof TurnStopped ? signal.reason.reason : undefined;
}
