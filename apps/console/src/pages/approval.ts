import { CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { ApiRefusal } from '../api';
import { fieldOf, idOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import type { Say } from '../words';
import { approverOf, isCollected, targetPath, type ChangeRequest } from './change-request';
import {
  changeFieldName,
  changeStatusName,
  changeValue,
  kindName,
  kindReason,
} from './change-words';
import { buttonForm, form } from './form';
import { textOf, timeOf } from './formats';
import { table } from './list-page';
import type { Page, Redirect } from './page';
import { sentenceOf } from './refusal';

/** One change request: old and new values, who asks and why, and the decision. */
export async function showApproval(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const request = await viewer.ops.changeRequests.get(idOf(visit, 'changeRequestId'));
  const title = say('Solicitud', 'Request');
  const target = targetPath(request);
  return {
    title: `${title}: ${kindName(request.kind, say)}`,
    content: html`${outcome(visit, request)}
      <p>${kindReason(request.kind, say)}</p>
      ${values(request, say)}
      ${target === undefined ? NOTHING : html`<p><a href="${target}">${say('Ver el registro', 'See the record')}</a></p>`}
      ${facts(visit, request)} ${decision(visit, request)}
      <p><a href="/aprobaciones">${say('Todas las aprobaciones', 'All approvals')}</a></p>`,
  };
}

/** What has become of it. */
function outcome({ say }: Visit, request: ChangeRequest): Html {
  const { status, failure } = request;
  const sentences: Record<string, string> = {
    pending: say('Espera la decisión de otra persona.', 'Waits for another person’s decision.'),
    approved: isCollected(request)
      ? say(
          'Aprobada: quien la pidió puede recogerla.',
          'Approved: who asked for it can collect it.',
        )
      : say('Aprobada: se aplica en unos segundos.', 'Approved: it is made within seconds.'),
    rejected: say('Rechazada: nada cambió.', 'Rejected: nothing changed.'),
    expired: say('Venció sin terminarse: nada cambió.', 'It expired: nothing changed.'),
    executed: say('Aprobada y aplicada.', 'Approved and done.'),
    failed: failureText(failure, say),
  };
  const kind = status === 'failed' ? 'problem' : 'notice';
  return html`<p class="${kind}">${sentences[status] ?? changeStatusName(status, say)}</p>`;
}

function failureText(failure: string | null, say: Say): string {
  if (failure === 'STALE' || failure === CHANGE_TARGET_CHANGED) {
    return say(
      'El registro cambió después de la solicitud, así que no se aplicó nada. Revisa los valores de hoy y pide el cambio otra vez.',
      'The record was changed after the request, so nothing was done. Check today’s values and ask again.',
    );
  }
  return `${say('No se aplicó.', 'It was not done.')} ${sentenceOf(failure ?? '', say)}`;
}

function values({ before, after }: ChangeRequest, say: Say): Html {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const name = say('Valores', 'Values');
  return html`<h2>${name}</h2>
    ${table<string>(
      name,
      [
        [say('Dato', 'Field'), (field) => changeFieldName(field, say)],
        [
          say('Antes', 'Before'),
          (field) => (field in before ? changeValue(field, before[field], say) : '—'),
        ],
        [say('Después', 'After'), (field) => changeValue(field, after[field], say)],
      ],
      fields,
      say('Sin valores.', 'No values.'),
    )}`;
}

function facts({ viewer, say }: Visit, request: ChangeRequest): Html {
  const nameOf = (id: string | null, name: string | null): string =>
    id === viewer.staffId ? say('tú', 'you') : textOf(name ?? id);
  const decided = html`<dt>${say('Decidió', 'Decided by')}</dt>
    <dd>${nameOf(request.decidedBy, request.decidedByName)}, ${timeOf(request.decidedAt)}</dd>
    <dt>${say('Motivo de la decisión', 'Reason of the decision')}</dt>
    <dd>${textOf(request.decisionReason)}</dd>`;
  return html`<dl>
    <dt>${say('Quién pide', 'Asked by')}</dt>
    <dd>${nameOf(request.requestedBy, request.requestedByName)}, ${timeOf(request.requestedAt)}</dd>
    <dt>${say('Por qué', 'Why')}</dt>
    <dd>${textOf(request.reason)}</dd>
    ${request.decidedBy === null ? NOTHING : decided}
    <dt>${say('Vence', 'Expires')}</dt>
    <dd>${timeOf(request.expiresAt)}</dd>
  </dl>`;
}

/** The forms of the second person; for who asked a sentence, or the button that collects a key. */
function decision(visit: Visit, request: ChangeRequest): Html {
  const { viewer, say } = visit;
  const { status, changeRequestId, requestedBy } = request;
  const path = `/aprobaciones/${changeRequestId}`;
  const isOwn = requestedBy === viewer.staffId;
  if (status === 'approved' && isCollected(request) && isOwn) {
    return html`<p>
        ${say('Se muestra una sola vez: ten listo dónde guardarla.', 'It is shown once: have a place ready for it.')}
      </p>
      ${buttonForm(viewer, { action: `${path}/recoger`, label: say('Recoger', 'Collect'), kind: 'main' })}`;
  }
  if (status !== 'pending') return NOTHING;
  if (isOwn) {
    return html`<p class="notice">
      ${say('Tú pediste este cambio: lo decide otra persona.', 'You asked for this: another person decides.')}
    </p>`;
  }
  const needed = approverOf(request);
  if (!mayDo(viewer, needed)) {
    return html`<p>
      ${say(`Lo decide alguien con el rol ${needed}.`, `Somebody with the role ${needed} decides.`)}
    </p>`;
  }
  const reason = { name: 'reason', label: say('Motivo', 'Reason') };
  return html`<h2>${say('Decidir', 'Decide')}</h2>
    ${form(visit, {
      action: `${path}/aprobar`,
      fields: [
        { ...reason, label: say('Motivo (opcional)', 'Reason (optional)'), required: false },
      ],
      button: say('Aprobar', 'Approve'),
    })}
    ${form(visit, {
      action: `${path}/rechazar`,
      fields: [{ ...reason, label: say('Motivo del rechazo', 'Reason of the rejection') }],
      button: say('Rechazar', 'Reject'),
      kind: 'bad',
    })}`;
}

export function approveChange(visit: Visit): Promise<Redirect> {
  return decide(visit, 'approve');
}

export function rejectChange(visit: Visit): Promise<Redirect> {
  return decide(visit, 'reject');
}

/** A person whose sign-in is too old signs in again first, and comes back to the request. */
async function decide(visit: Visit, verb: 'approve' | 'reject'): Promise<Redirect> {
  const id = idOf(visit, 'changeRequestId');
  const reason = fieldOf(visit, 'reason');
  const here = `/aprobaciones/${encodeURIComponent(id)}`;
  const { changeRequests } = visit.viewer.ops;
  try {
    if (verb === 'reject') await changeRequests.reject(id, { reason });
    else await changeRequests.approve(id, reason === '' ? {} : { reason });
    return { redirect: here };
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code !== 'SIGN_IN_REQUIRED') throw error;
    return { redirect: `/entrar?a=${encodeURIComponent(here)}` };
  }
}

/** The secret is made by this call and shown this once. */
export async function collectChange(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const collected = await viewer.ops.changeRequests.collect(idOf(visit, 'changeRequestId'));
  const { apiKey, signingSecret, invitationLink } = collected;
  const secrets = [apiKey, signingSecret, invitationLink].filter((one) => one !== undefined);
  return {
    title: say('Recogida', 'Collected'),
    content: html`<p class="notice">
        ${say('Cópiala ahora: no se vuelve a mostrar.', 'Copy it now: it is not shown again.')}
      </p>
      ${secrets.map((secret) => html`<p><code>${secret}</code></p>`)}
      <p><a href="/aprobaciones">${say('Todas las aprobaciones', 'All approvals')}</a></p>`,
  };
}
