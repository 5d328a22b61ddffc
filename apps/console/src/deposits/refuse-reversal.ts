import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { foldedForm, reasonField } from '../frame/form';
import { textOf, when } from '../frame/formats';
import { factCard } from '../frame/lists';
import { mayDo, type Visit } from '../frame/visit';
import { wordFor } from '../frame/words';

/** That the provider of a deposit asks for its reversal, and the form that refuses it. */
export function reversalRequest(
  visit: Visit,
  {
    depositId,
    reversalRequest: asked,
    pendingChange,
  }: Pick<AnswerOf<'showDeposit'>, 'depositId' | 'reversalRequest' | 'pendingChange'>,
): HtmlValue {
  const { say, viewer } = visit;
  if (asked == null) return undefined;
  const { status, reason, requestedAt, refusal } = asked;
  const refuses = status === 'open' && mayDo(viewer, 'approver') && pendingChange == null;
  return html`${factCard(say('El proveedor pide revertirlo', 'Its provider asks for a reversal'), [
    [say('Por qué', 'Why'), textOf(reason)],
    [say('Cuándo', 'When'), when(requestedAt)],
    [
      say('Respuesta', 'Answer'),
      wordFor(status, {
        open: say('todavía ninguna', 'none yet'),
        refused: say('no se revierte', 'it is not reversed'),
        reversed: say('se revirtió', 'it was reversed'),
      }),
    ],
    refusal !== null && [say('Motivo', 'Reason'), textOf(refusal)],
  ])}
  ${refuses && refusalForm(visit, depositId)}`;
}

function refusalForm(visit: Visit, depositId: string): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('No revertirlo', 'Do not reverse it'),
    hint: say(
      'El depósito queda como está, y el proveedor lee el motivo. Para revertirlo usa «Revertir el depósito», que confirma otra persona.',
      'The deposit stays as it is, and its provider reads the reason. To reverse it use “Reverse the deposit”, which another person confirms.',
    ),
    action: `/depositos/${depositId}/no-revertir`,
    button: say('No revertir', 'Do not reverse'),
    kind: 'second',
    fields: [reasonField(say)],
  });
}
