import { html, NOTHING, type Html } from '@fiado/chassis/html';
import {
  CHANGE_KINDS,
  CHANGE_TARGET_CHANGED,
  type ChangeKind,
} from '@fiado/contracts/change-requests';
import type { OpsScope } from '@fiado/contracts/caller';
import { ApiRefusal } from '../api';
import { setTyped } from '../frame/cookies';
import { buttonForm, form, reasonField } from '../frame/form';
import { listFilters } from '../frame/filters';
import { pesosOf, textOf, timeOf, when } from '../frame/formats';
import { card, type Fact, factList, listPage, tablePart } from '../frame/lists';
import { sentenceOf } from '../frame/refusal';
import { act, show, type Route } from '../frame/serve';
import { stateBadge, stateName } from '../frame/states';
import { storeNames } from '../frame/store-names';
import { fieldOf, idOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';
import { roleName, sentenceCase, type Say } from '../frame/words';
import { secretPage } from '../keys/keys-of-party';
import { changeFieldName, kindName, kindReason } from './change-words';
import type { ChangeRequest } from './pending-change';
import {
  fieldsOf,
  requestLine,
  shownValue,
  subjectOf,
  subjectsOf,
  type Subjects,
} from './subjects';
import { toDecide } from './to-decide';

export const approvalRoutes: Route[] = [
  show('/aprobaciones', showApprovals),
  show('/aprobaciones/:changeRequestId', showApproval),
  act('/aprobaciones/:changeRequestId/aprobar', approveChange, showApproval),
  act('/aprobaciones/:changeRequestId/rechazar', rejectChange, showApproval),
  act('/aprobaciones/:changeRequestId/recoger', collectChange, showApproval),
];

const STATES = [
  'pending',
  'approved',
  'executed',
  'failed',
  'rejected',
  'expired',
  'todas',
] as const;

/** Changes that wait for a second person, or those of another state; newest first. */
function showApprovals(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  const { status, asked, chips } = listFilters(visit, '/aprobaciones', {
    states: STATES,
    kind: 'change',
    all: say('Todas', 'All'),
  });
  return listPage(visit, {
    title: say('Aprobaciones', 'Approvals'),
    list: (page) =>
      viewer.ops.changeRequests.list({
        ...asked,
        ...page,
      }),
    rowsOf: ({ changeRequests }) => changeRequests,
    before: chips,
    empty:
      status === 'pending'
        ? say('Nada espera aprobación.', 'Nothing waits for approval.')
        : say('Ninguna solicitud así.', 'No such request.'),
    columns: async ({ changeRequests }) => {
      const subjects = await subjectsOf(visit, changeRequests);
      return [
        [
          say('Cambio', 'Change'),
          (request) =>
            html`<a href="/aprobaciones/${request.changeRequestId}"
              >${sentenceCase(requestLine(request, subjects, say))}</a
            >`,
          'name',
        ],
        [
          say('Quién pide', 'Asked by'),
          ({ requestedBy, requestedByName }) => personOf(visit, requestedBy, requestedByName),
        ],
        [say('Por qué', 'Why'), ({ reason }) => textOf(reason)],
        [say('Pedido', 'Asked'), ({ requestedAt }) => when(requestedAt), 'when'],
        [say('Caduca', 'Expires'), ({ expiresAt }) => when(expiresAt)],
        [say('Estado', 'Status'), (request) => stateBadge('change', request.status, say), 'state'],
      ];
    },
  });
}

/** One change request: old and new values, who asks and why, and the decision. */
async function showApproval(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const request = await viewer.ops.changeRequests.get(idOf(visit, 'changeRequestId'));
  const target = targetPath(request);
  const subjects = await subjectsOf(visit, [request]);
  const subject = subjectOf(request, subjects, say);
  return {
    path: ['/aprobaciones', say('Aprobaciones', 'Approvals')],
    title: sentenceCase(kindName(request.kind, say)),
    badge: stateBadge('change', request.status, say),
    lead:
      subject === undefined
        ? kindReason(request.kind, say)
        : html`<a href="${subject.href}">${subject.name}</a> · ${kindReason(request.kind, say)}`,
    content: html`${outcome(visit, request)}
      <div class="record">
        <div>
          ${values(request, { target, subjects }, say)} ${await toDecide(visit, request)}
          ${decision(visit, request, await effectOf(visit, request))}
        </div>
        <div>${facts(visit, request)}</div>
      </div>`,
  };
}

/** What has become of it; `decision` shows who decides on one that waits. */
function outcome({ say }: Visit, request: ChangeRequest): Html {
  const { status, failure } = request;
  if (status === 'pending') return NOTHING;
  const sentences: Record<string, string> = {
    approved: approvedText(request, say),
    rejected: say('Rechazada: nada cambió.', 'Rejected: nothing changed.'),
    expired: say('Caducó sin terminarse: nada cambió.', 'It expired: nothing changed.'),
    executed: say('Aprobada y aplicada.', 'Approved and done.'),
    failed: failureText(failure, say),
  };
  const kind = status === 'failed' ? 'problem' : status === 'executed' ? 'notice done' : 'notice';
  return html`<p class="${kind}">${sentences[status] ?? stateName('change', status, say)}</p>`;
}

function approvedText({ kind }: ChangeRequest, say: Say): string {
  const texts = {
    requester: say(
      'Aprobada: quien la pidió puede recogerla.',
      'Approved: who asked for it can collect it.',
    ),
    approver: say(
      'Aprobada: quien la aprobó recoge el enlace y se lo da a la persona.',
      'Approved: who approved it collects the link and gives it to the person.',
    ),
  };
  const by = kindOf(kind)?.collectedBy;
  return by === undefined
    ? say('Aprobada: se aplica en unos segundos.', 'Approved: it is made within seconds.')
    : texts[by];
}

function failureText(failure: string | null, say: Say): string {
  if (failure === 'STALE' || failure === CHANGE_TARGET_CHANGED) {
    return say(
      'El registro cambió después de la solicitud, así que no se aplicó nada. Revisa los valores de hoy y pide el cambio otra vez.',
      'The record was changed after the request, so nothing was done. Check today’s values and ask again.',
    );
  }
  if (failure === 'REQUESTER_LOST_ACCESS') {
    return say(
      'Quien la pidió perdió el acceso o tiene menos permisos, así que no se aplicó nada.',
      'Who asked for it lost the access or has fewer rights, so nothing was done.',
    );
  }
  return `${say('No se aplicó.', 'It was not done.')} ${sentenceOf(failure ?? '', say)}`;
}

function values(
  request: ChangeRequest,
  { target, subjects }: { target: string | undefined; subjects: Subjects },
  say: Say,
): Html {
  const { before, after } = request;
  return tablePart<string>({
    title: say('Valores', 'Values'),
    more:
      target === undefined
        ? NOTHING
        : html`<a href="${target}">${say('Ver el registro', 'See the record')}</a>`,
    columns: [
      [say('Dato', 'Field'), (field) => changeFieldName(field, say), 'name'],
      [
        say('Antes', 'Before'),
        (field) => (field in before ? shownValue(field, before[field], subjects, say) : '—'),
      ],
      [say('Después', 'After'), (field) => shownValue(field, after[field], subjects, say)],
    ],
    rows: fieldsOf(request),
    empty: say('Sin valores.', 'No values.'),
  });
}

/** Who asked or decided: only people and named keys have a name, and an id says nothing. */
function personOf({ viewer, say }: Visit, id: string | null, name: string | null): string {
  if (id === viewer.staffId) return say('tú', 'you');
  return name ?? (id === null ? textOf(null) : say('una llave sin nombre', 'a key without a name'));
}

function facts(visit: Visit, request: ChangeRequest): Html {
  const { say } = visit;
  const decided: Fact[] = [
    [
      say('Decidió', 'Decided by'),
      `${personOf(visit, request.decidedBy, request.decidedByName)}, ${timeOf(request.decidedAt)}`,
    ],
    [say('Motivo de la decisión', 'Reason of the decision'), textOf(request.decisionReason)],
  ];
  return card(
    say('Solicitud', 'Request'),
    factList([
      [
        say('Quién pide', 'Asked by'),
        `${personOf(visit, request.requestedBy, request.requestedByName)}, ${timeOf(request.requestedAt)}`,
      ],
      [say('Por qué', 'Why'), textOf(request.reason)],
      ...(request.decidedBy === null ? [] : decided),
      [say('Caduca', 'Expires'), timeOf(request.expiresAt)],
    ]),
  );
}

/** The forms of the second person; for who asked a sentence; the button that collects a key or a link. */
function decision(visit: Visit, request: ChangeRequest, effect: string): Html {
  const { viewer, say } = visit;
  const { status, changeRequestId, requestedBy } = request;
  const path = `/aprobaciones/${changeRequestId}`;
  const isOwn = requestedBy === viewer.staffId;
  if (status === 'approved' && collectorOf(request) === viewer.staffId) {
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
      ${say(`Lo decide alguien con el rol ${roleName(needed, say)}.`, `Somebody with the role ${roleName(needed, say)} decides.`)}
    </p>`;
  }
  const reason = reasonField(say);
  const isRejected = [visit.req.path, visit.typed?.action].includes(`${path}/rechazar`);
  return card(
    say('Decidir', 'Decide'),
    html`${effect === '' ? NOTHING : html`<p>${effect}</p>`}
      ${form(visit, {
        action: `${path}/aprobar`,
        fields: [
          { ...reason, label: say('Motivo (opcional)', 'Reason (optional)'), required: false },
        ],
        button: say('Aprobar', 'Approve'),
      })}
      <details ${isRejected ? html`open` : NOTHING}>
        <summary>${say('Rechazar', 'Reject')}</summary>
        ${form(visit, {
          action: `${path}/rechazar`,
          fields: [{ ...reason, label: say('Motivo del rechazo', 'Reason of the rejection') }],
          button: say('Rechazar', 'Reject'),
          kind: 'bad',
        })}
      </details>`,
  );
}

/** What an approval does, in a sentence; empty where the values say it. */
async function effectOf(visit: Visit, { kind, targetId, after }: ChangeRequest): Promise<string> {
  const limit = after['creditLimitCents'];
  if (kind !== 'corner-store.terms' || targetId === null || typeof limit !== 'number') return '';
  const { say } = visit;
  const names = await storeNames(visit, [{ cornerStoreId: targetId }]);
  const store = names.get(targetId)?.name ?? say('la tienda', 'the store');
  const amount = pesosOf(limit / 100);
  return say(
    `Al aprobar, la línea de ${store} sube a ${amount} en unos segundos.`,
    `When you approve, the limit of ${store} becomes ${amount} within seconds.`,
  );
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
    return { redirect: here, done: 'decidido' };
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code !== 'SIGN_IN_REQUIRED') throw error;
    // The sign-in confirms this press: what was typed is sent when the person is back.
    const action = visit.req.path;
    if (visit.req.res !== undefined) {
      const pressedBy = visit.viewer.staffId;
      setTyped(visit.req.res, { action, fields: { reason }, pressedBy });
    }
    return { redirect: `/entrar?a=${encodeURIComponent(here)}` };
  }
}

/** The secret is made by this call and shown this once. */
async function collectChange(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const collected = await viewer.ops.changeRequests.collect(idOf(visit, 'changeRequestId'));
  const { apiKey, signingSecret, invitationLink } = collected;
  const secrets = [apiKey, signingSecret, invitationLink].filter((one) => one !== undefined);
  return secretPage(visit, {
    title: say('Recogida', 'Collected'),
    secrets,
    back: '/aprobaciones',
  });
}

/** Who may decide on a request; the API has the last word. */
function approverOf({ kind }: ChangeRequest): OpsScope {
  return kindOf(kind)?.approver ?? 'admin';
}

/** Who collects the secret that the change makes; null where it makes none. */
function collectorOf({ kind, requestedBy, decidedBy }: ChangeRequest): string | null {
  const by = kindOf(kind)?.collectedBy;
  if (by === undefined) return null;
  return by === 'approver' ? decidedBy : requestedBy;
}

/** The record that a request changes, and the page of it. */
function targetPath({ kind, targetId, after }: ChangeRequest): string | undefined {
  if (kind === 'settlement.adjust') {
    return `/liquidaciones/mayorista/${textOf(after['wholesalerId'])}`;
  }
  if (targetId === null) return undefined;
  const pages: Record<string, string> = {
    'corner-store': `/tiendas/${targetId}`,
    deposit: `/depositos/${targetId}`,
    customers: `/mayoristas/${targetId}`,
    wholesaler: `/mayoristas/${targetId}`,
    'wholesaler-key': `/mayoristas/${targetId}`,
    'invoice-issuer': `/mayoristas/${targetId}`,
    'wholesaler-tax-profile': `/mayoristas/${targetId}`,
    'payment-provider': `/proveedores/${targetId}`,
    'provider-key': `/proveedores/${targetId}`,
    'provider-secret': `/proveedores/${targetId}`,
    staff: '/personal',
    'credit-note': `/pedidos/${targetId}`,
    statement: `/liquidaciones/${targetId}`,
  };
  return pages[kind.split('.')[0] ?? ''];
}

/** Undefined for a kind of a later release. */
function kindOf(kind: string): ChangeKind | undefined {
  const kinds: Record<string, ChangeKind> = CHANGE_KINDS;
  return kinds[kind];
}
