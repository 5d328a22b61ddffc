import type { Output } from './output';

/** Prints the answer to a change, which may wait for a second person. */
export function printChange(out: Output, answer: object): void {
  out.record(answer);
  if ('changeRequestId' in answer) {
    out.note(
      `\nIt waits for a second person. Why: fiado change-requests show ${String(answer.changeRequestId)}`,
    );
  }
}
