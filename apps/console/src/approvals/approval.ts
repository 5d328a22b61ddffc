import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { CHANGE_KINDS, type ChangeKind } from '@fiado/contracts/change-requests';
import type { OpsScope } from '@fiado/contracts/caller';
import { buttonForm, form, reasonField, rejectForm } from '../frame/form';
import { link, pesosOf, textOf, timeOf } from '../frame/formats';
import { card, factCard, tablePart } from '../frame/parts';
import type { Secrets } from '../keys/keys-of-party';
import { recordPage } from '../frame/record';
import { idOf, mayDo, type Visit } from '../frame/visit';
import { roleName, say, sentenceCase, stateBadge, stateName } from '../frame/words';
import { changeFieldName, failureText, kindName, kindReason } from './change-words';
import {
  type ChangeRequest,
  fieldsOf,
  PROVIDER,
  shownValue,
  subjectOf,
  type Subjects,
  subjectsOf,
} from './subjects';
import { toDecide } from './to-decide';

/** One change request: old and new values, who asks and why, and the decision. */
export const approval = recordPage('/aprobaciones/:changeRequestId', {
  load: async (id, visit) => {
    const request = await visit.viewer.ops.changeRequests.get(id);
    return { ...request, subjects: await subjectsOf(visit, [request]) };
  },
  path: () => ['/aprobaciones', say('Aprobaciones', 'Approvals')],
  title: ({ kind }) => sentenceCase(kindName(kind)),
  badge: ({ status }) => stateBadge('change', status),
  lead: subjectAndReason,
  above: [outcome],
  parts: [values, toDecide, decision],
  side: [facts],
});

type Loaded = ChangeRequest & { subjects: Subjects };

function subjectAndReason(request: Loaded): HtmlValue {
  const subject = subjectOf(request, request.subjects);
  const why = kindReason(request.kind);
  return subject === undefined ? why : html`${link(subject.href, subject.name)} · ${why}`;
}

/** What has become of it; `decision` shows who decides on one that waits. */
function outcome(request: ChangeRequest): HtmlValue {
  const { status, failure } = request;
  if (status === 'pending') return undefined;
  const sentences: Record<string, string> = {
    approved: approvedText(request),
    rejected: say('Rechazada: nada cambió.', 'Rejected: nothing changed.'),
    expired: say('Caducó sin terminarse: nada cambió.', 'It expired: nothing changed.'),
    executed: say('Aprobada y aplicada.', 'Approved and done.'),
    failed: failureText(failure),
  };
  const kind = status === 'failed' ? 'problem' : status === 'executed' ? 'notice done' : 'notice';
  return html`<p class="${kind}">${sentences[status] ?? stateName('change', status)}</p>`;
}

function approvedText({ kind }: ChangeRequest): string {
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

function values(request: Loaded): Html {
  const { before, after, subjects } = request;
  const target = targetPath(request);
  return tablePart<string>({
    title: say('Valores', 'Values'),
    more: target !== undefined && link(target, say('Ver el registro', 'See the record')),
    columns: [
      [say('Dato', 'Field'), changeFieldName, 'name'],
      [
        say('Antes', 'Before'),
        (field) => (field in before ? shownValue(field, before[field], subjects) : '—'),
      ],
      [say('Después', 'After'), (field) => shownValue(field, after[field], subjects)],
    ],
    rows: fieldsOf(request),
    empty: say('Sin valores.', 'No values.'),
  });
}

/** Who asked or decided: only people and named keys have a name, and an id says nothing. */
export function personOf({ viewer }: Visit, id: string | null, name: string | null): string {
  if (id === viewer.staffId) return say('tú', 'you');
  return name ?? (id === null ? textOf(null) : say('una llave sin nombre', 'a key without a name'));
}

function facts(request: Loaded, visit: Visit): Html {
  const { requestedBy, requestedByName, requestedAt, decidedBy, decidedByName } = request;
  return factCard(say('Solicitud', 'Request'), [
    [
      say('Quién pide', 'Asked by'),
      `${personOf(visit, requestedBy, requestedByName)}, ${timeOf(requestedAt)}`,
    ],
    [say('Por qué', 'Why'), textOf(request.reason)],
    decidedBy !== null && [
      say('Decidió', 'Decided by'),
      `${personOf(visit, decidedBy, decidedByName)}, ${timeOf(request.decidedAt)}`,
    ],
    decidedBy !== null && [
      say('Motivo de la decisión', 'Reason of the decision'),
      textOf(request.decisionReason),
    ],
    [say('Caduca', 'Expires'), timeOf(request.expiresAt)],
  ]);
}

/** The forms of the second person; for who asked a sentence; the button that collects a key or a link. */
function decision(request: Loaded, visit: Visit): HtmlValue {
  const { viewer } = visit;
  const { status, changeRequestId, requestedBy } = request;
  const path = `/aprobaciones/${changeRequestId}`;
  const isOwn = requestedBy === viewer.staffId;
  if (status === 'approved' && collectorOf(request) === viewer.staffId) {
    const invited = invitedIn(request);
    const hint =
      invited === undefined
        ? say(
            'Se muestra una sola vez: ten listo dónde guardarla.',
            'It is shown once: have a place ready for it.',
          )
        : say(
            `El enlace es solo para ${invited}. Se muestra una vez y vale 24 horas desde que lo recoges.`,
            `The link is for ${invited} only. It is shown once, and is valid for 24 hours from then on.`,
          );
    const label =
      invited === undefined
        ? say('Recoger', 'Collect')
        : say(`Recoger el enlace de ${invited}`, `Collect the link of ${invited}`);
    return html`<p>${hint}</p>
      ${buttonForm(viewer, `${path}/recoger`, label, 'main')}`;
  }
  if (status !== 'pending') return undefined;
  if (isOwn) {
    return html`<p class="notice">
      ${say('Tú pediste este cambio: lo decide otra persona.', 'You asked for this: another person decides.')}
    </p>`;
  }
  const needed = approverOf(request);
  if (!mayDo(viewer, needed)) {
    return html`<p>
      ${say(`Lo decide alguien con el rol ${roleName(needed)}.`, `Somebody with the role ${roleName(needed)} decides.`)}
    </p>`;
  }
  const reason = reasonField();
  const effect = effectOf(request);
  return card(say('Decidir', 'Decide'), [
    effect !== '' && html`<p>${effect}</p>`,
    form(visit, {
      action: `${path}/aprobar`,
      fields: [
        { ...reason, label: say('Motivo (opcional)', 'Reason (optional)'), required: false },
      ],
      button: say('Aprobar', 'Approve'),
    }),
    rejectForm(visit, `${path}/rechazar`, say('Motivo del rechazo', 'Reason of the rejection')),
  ]);
}

/** What is shown with a collected secret: for whom it is, or what it is. */
export async function collectedOf(visit: Visit): Promise<Secrets> {
  const request = await visit.viewer.ops.changeRequests.get(idOf(visit, 'changeRequestId'));
  const invited = invitedIn(request);
  const kind = sentenceCase(kindName(request.kind));
  if (invited === undefined) return { title: [kind, kind] };
  return {
    title: [`Invitación de ${invited}`, `Invitation of ${invited}`],
    notice: [
      `Da este enlace solo a ${invited}. No se vuelve a mostrar y vale 24 horas.`,
      `Give this link to ${invited} only. It is not shown again, and is valid for 24 hours.`,
    ],
  };
}

/** The name of the person that a request invites. */
function invitedIn({ kind, after }: ChangeRequest): string | undefined {
  const name = after['name'];
  return kind === 'staff.invite' && typeof name === 'string' ? name : undefined;
}

/** What an approval does, in a sentence; empty where the values say it. */
function effectOf({ kind, targetId, after, subjects }: Loaded): string {
  const limit = after['creditLimitCents'];
  if (kind !== 'corner-store.terms' || targetId === null || typeof limit !== 'number') return '';
  const store = subjects.stores.get(targetId)?.name ?? say('la tienda', 'the store');
  const amount = pesosOf(limit / 100);
  return say(
    `Al aprobar, la línea de ${store} sube a ${amount} en unos segundos.`,
    `When you approve, the limit of ${store} becomes ${amount} within seconds.`,
  );
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
  if (kind.startsWith('staff.')) return '/personal';
  const [, pages] = PAGES.find(([kinds]) => kinds.test(kind)) ?? [];
  return pages && `${pages}/${targetId}`;
}

/** The pages of the records that requests of these kinds change. */
const PAGES: ReadonlyArray<[kinds: RegExp, pages: string]> = [
  [/^corner-store\./, '/tiendas'],
  [/^deposit\./, '/depositos'],
  [/^(customers|wholesaler|wholesaler-(key|tax-profile)|invoice-issuer)\./, '/mayoristas'],
  [PROVIDER, '/proveedores'],
  [/^credit-note\./, '/pedidos'],
  [/^statement\./, '/liquidaciones'],
];

/** Undefined for a kind of a later release. */
function kindOf(kind: string): ChangeKind | undefined {
  const kinds: Record<string, ChangeKind> = CHANGE_KINDS;
  return kinds[kind];
}
