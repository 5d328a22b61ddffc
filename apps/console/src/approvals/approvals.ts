import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { CHANGE_KINDS, CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import type { OpsScope } from '@fiado/contracts/caller';
import { ApiRefusal } from '../api';
import { buttonForm, form } from '../frame/form';
import { textOf, timeOf } from '../frame/formats';
import { factList, listPage, statusFilter, table, type Fact } from '../frame/lists';
import { sentenceOf } from '../frame/refusal';
import { act, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';
import type { Say } from '../frame/words';
import {
  changeFieldName,
  changeStatusName,
  changeValue,
  kindName,
  kindReason,
} from './change-words';
import type { ChangeRequest } from './pending-change';

export const approvalRoutes: Route[] = [
  show('/aprobaciones', showApprovals),
  show('/aprobaciones/:changeRequestId', showApproval),
  act('/aprobaciones/:changeRequestId/aprobar', approveChange, showApproval),
  act('/aprobaciones/:changeRequestId/rechazar', rejectChange, showApproval),
  act('/aprobaciones/:changeRequestId/recoger', collectChange, showApproval),
];

const STATUSES = ['pending', 'approved', 'executed', 'failed', 'rejected', 'expired'] as const;

/** Changes that wait for a second person, or those of another state; newest first. */
function showApprovals(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const { status, links } = statusFilter(visit, '/aprobaciones', STATUSES, changeStatusName);
  return listPage(visit, {
    title: say('Aprobaciones', 'Approvals'),
    list: (cursor) => viewer.ops.changeRequests.list({ status, cursor }),
    rowsOf: ({ changeRequests }) => changeRequests,
    before: links,
    empty:
      status === 'pending'
        ? say('Nada espera aprobación.', 'Nothing waits for approval.')
        : say('No hay solicitudes así.', 'There are no such requests.'),
    columns: [
      [
        say('Cambio', 'Change'),
        ({ changeRequestId, kind }) =>
          html`<a href="/aprobaciones/${changeRequestId}">${kindName(kind, say)}</a>`,
      ],
      [
        say('Quién pide', 'Asked by'),
        ({ requestedBy, requestedByName }) =>
          requestedBy === viewer.staffId
            ? say('tú', 'you')
            : textOf(requestedByName ?? requestedBy),
      ],
      [say('Por qué', 'Why'), ({ reason }) => textOf(reason)],
      [say('Pedido', 'Asked'), ({ requestedAt }) => timeOf(requestedAt)],
      [say('Vence', 'Expires'), ({ expiresAt }) => timeOf(expiresAt)],
    ],
  });
}

/** One change request: old and new values, who asks and why, and the decision. */
async function showApproval(visit: Visit): Promise<Page> {
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
  const decided: Fact[] = [
    [
      say('Decidió', 'Decided by'),
      `${nameOf(request.decidedBy, request.decidedByName)}, ${timeOf(request.decidedAt)}`,
    ],
    [say('Motivo de la decisión', 'Reason of the decision'), textOf(request.decisionReason)],
  ];
  return factList([
    [
      say('Quién pide', 'Asked by'),
      `${nameOf(request.requestedBy, request.requestedByName)}, ${timeOf(request.requestedAt)}`,
    ],
    [say('Por qué', 'Why'), textOf(request.reason)],
    ...(request.decidedBy === null ? [] : decided),
    [say('Vence', 'Expires'), timeOf(request.expiresAt)],
  ]);
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

function approveChange(visit: Visit): Promise<Redirect> {
  return decide(visit, 'approve');
}

function rejectChange(visit: Visit): Promise<Redirect> {
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
async function collectChange(visit: Visit): Promise<Page> {
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

/** Who may decide on a request; the API has the last word. */
function approverOf({ kind }: ChangeRequest): OpsScope {
  return kindOf(kind)?.approver ?? 'admin';
}

/** Whether the change makes a secret, which its requester collects. */
function isCollected({ kind }: ChangeRequest): boolean {
  return kindOf(kind)?.isCollected === true;
}

/** The record that a request changes, and the page of it. */
function targetPath({ kind, targetId }: ChangeRequest): string | undefined {
  if (targetId === null) return undefined;
  const pages: Record<string, string> = {
    'corner-store': `/tiendas/${targetId}`,
    deposit: `/depositos/${targetId}`,
    customers: `/mayoristas/${targetId}`,
    wholesaler: `/mayoristas/${targetId}`,
    'wholesaler-key': `/mayoristas/${targetId}`,
    staff: '/personal',
  };
  return pages[kind.split('.')[0] ?? ''];
}

function kindOf(kind: string): { approver: OpsScope; isCollected?: boolean } | undefined {
  const kinds: Record<string, { approver: OpsScope; isCollected?: boolean }> = CHANGE_KINDS;
  return kinds[kind];
}
