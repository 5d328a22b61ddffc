import type { ApiRequest } from './api';
import { recordOf } from './output';
import type { Session } from './session';

/** Calls the API and prints the object that it answers, a field on each line. */
export async function printAnswer(
  { api, out }: Session,
  method: 'POST' | 'PUT',
  path: string,
  request?: ApiRequest,
): Promise<void> {
  const answer = await api.call<object>(method, path, request);
  out.result(answer, () => recordOf(answer));
}

/** The same for an answer that holds a new key. */
export async function printNewKey(session: Session, path: string, body: object): Promise<void> {
  await printAnswer(session, 'POST', path, { body });
  session.out.note(
    '\nThe apiKey above is shown this once and kept nowhere: put it in a safe place now.',
  );
}
