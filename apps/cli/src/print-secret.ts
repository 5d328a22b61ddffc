import type { Output } from './output';

/**
 * Prints an answer that holds a new key, secret or link, or tells how to get it once a second person has
 * approved.
 */
export function printSecret(out: Output, answer: object): void {
  out.record(answer);
  if ('changeRequestId' in answer) {
    out.note(
      '\nIt waits for a second person. Once it is approved: ' +
        `fiado change-requests collect ${String(answer.changeRequestId)}`,
    );
  } else if ('invitationLink' in answer) {
    out.note('\nThe invitationLink above is shown this once: give it to this person only.');
  } else if ('signingSecret' in answer && !('apiKey' in answer)) {
    out.note('\nThe signingSecret above is shown this once: put it in a safe place now.');
  } else {
    out.note('\nThe apiKey above is shown this once and kept nowhere: put it in a safe place now.');
  }
}
