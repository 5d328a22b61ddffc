import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import {
  EXTENSION_REASONS,
  PRIVACY_ANSWERS,
  PRIVACY_REASONS,
  URGENT_DAYS,
} from '@fiado/contracts/privacy';
import type { BodyOf, Schema } from '@fiado/ops-client/operations';
import { forRole, recordPage } from '../frame/record';
import { fieldOf, type Visit } from '../frame/visit';
import { choice, form } from '../frame/form';
import { agoOf, link, textOf, timeOf, when } from '../frame/formats';
import { card, factCard, tablePart } from '../frame/parts';
import { say, stateBadge } from '../frame/words';
import { answerName, channelName, kindName, proofName, reasonName } from './privacy-words';

type PrivacyRequest = Schema<'PrivacyRequest'>;
type PrivacyRequestDetails = Schema<'PrivacyRequestDetails'>;
const DAY_MS = 86_400_000;

/** Until when something is to be done; red from three days before. */
export function clock({ status, answerDueAt, executionDueAt }: PrivacyRequest): Html {
  const due = status === 'open' ? answerDueAt : status === 'executing' ? executionDueAt : null;
  if (due === null) return html`—`;
  const isUrgent = Date.parse(due) - Date.now() < URGENT_DAYS * DAY_MS;
  if (!isUrgent) return when(due);
  return html`<span class="badge bad">${agoOf(due, say('es', 'en'))}</span> ${when(due)}`;
}

/** One request: its clock, what is known of it, the consents of the person, and the answer. */
export const request = recordPage('/privacidad/:privacyRequestId', {
  load: (id, { viewer }) => viewer.ops.privacyRequests.get(id),
  path: () => ['/privacidad', say('Privacidad', 'Privacy')],
  title: ({ kind }) => kindName(kind),
  badge: ({ status }) => stateBadge('privacy', status),
  problem: tooManyAttempts,
  parts: [forRole('approver', answerForm), steps, consents],
  side: [facts],
});

/** What a person gets, or has changed, a few times a day only. */
function tooManyAttempts({ kind }: PrivacyRequestDetails, { refusal }: Visit): Html | undefined {
  if (refusal?.code !== 'TOO_MANY_ATTEMPTS') return undefined;
  const words =
    kind === 'access'
      ? say(
          'En 24 horas ya se hicieron demasiadas copias de los datos de esta persona. Nada cambió: intenta mañana.',
          'Too many copies of this person’s data were made in 24 hours. Nothing changed: try again tomorrow.',
        )
      : say(
          'En 24 horas el teléfono de esta persona ya cambió demasiadas veces. Nada cambió: corrígelo mañana.',
          'The phone of this person was changed too often in 24 hours. Nothing changed: correct it tomorrow.',
        );
  return html`<p>${words}</p>`;
}

function facts(request: PrivacyRequestDetails): Html {
  const { answeredBy, answeredByName, reasonCode, doneAt } = request;
  const extended = say('prorrogado', 'extended');
  return factCard(say('Solicitud', 'Request'), [
    [say('Plazo', 'Due'), clock(request)],
    [
      say('Tienda', 'Store'),
      link(`/tiendas/${request.cornerStoreId}`, say('Ver la tienda', 'See the store')),
    ],
    [say('Recibida', 'Received'), timeOf(request.receivedAt)],
    [say('Cómo llegó', 'How it came'), channelName(request.channel)],
    [say('Identidad', 'Identity'), proofName(request.identityProof)],
    [
      say('Responder antes de', 'Answer by'),
      `${timeOf(request.answerDueAt)}${request.answerExtended ? ` (${extended})` : ''}`,
    ],
    request.executionDueAt !== null && [
      say('Cumplir antes de', 'To be done by'),
      `${timeOf(request.executionDueAt)}${request.executionExtended ? ` (${extended})` : ''}`,
    ],
    answeredBy !== null && [
      say('Respondió', 'Answered by'),
      `${textOf(answeredByName ?? answeredBy)}, ${timeOf(request.answeredAt)}`,
    ],
    [say('Motivo', 'Reason'), reasonCode && reasonName(reasonCode)],
    [say('Terminada', 'Done'), doneAt && timeOf(doneAt)],
  ]);
}

/** The steps of a cancellation: when each begins, and how many values are gone. */
function steps({ kind, erasures }: PrivacyRequestDetails): HtmlValue {
  if (kind !== 'cancellation') return undefined;
  return tablePart({
    title: say('Bloqueo y supresión', 'Block and suppression'),
    columns: [
      [
        say('Paso', 'Step'),
        ({ phase }) =>
          phase === 'block' ? say('Bloqueo', 'Block') : say('Supresión', 'Suppression'),
        'name',
      ],
      [say('Empieza', 'Begins'), 'dueAt', 'when'],
      [say('Estado', 'Status'), ({ state }) => stepState(state)],
      [
        say('Datos borrados', 'Values erased'),
        ({ parts }) =>
          String(parts.flatMap(({ erased }) => erased).reduce((sum, { rows }) => sum + rows, 0)),
      ],
    ],
    rows: erasures,
    empty: say('Todavía no se bloquea.', 'Not blocked yet.'),
  });
}

function stepState(state: Schema<'Erasure'>['state']): string {
  if (state === 'waiting') return say('Espera su fecha', 'Waits for its day');
  return state === 'running' ? say('En curso', 'In progress') : say('Terminado', 'Done');
}

function consents({ consents: given }: PrivacyRequestDetails): Html {
  return tablePart({
    title: say('Consentimientos', 'Consents'),
    columns: [
      [say('Aviso', 'Notice'), 'noticeVersion', 'name'],
      [say('Dado', 'Given'), 'givenAt', 'when'],
      [say('Retiró lo voluntario', 'Voluntary withdrawn'), 'withdrawnAt', 'time'],
    ],
    rows: given,
    empty: say('No hay consentimientos.', 'No consents.'),
  });
}

const CORRECTIONS = ['firstName', 'lastNames', 'cornerStoreName', 'phoneNumber'] as const;

function answerForm(request: PrivacyRequestDetails, visit: Visit): HtmlValue {
  const { status, kind, privacyRequestId } = request;
  if (status !== 'open' && status !== 'executing') return undefined;
  const answers = status === 'open' ? PRIVACY_ANSWERS : (['extended'] as const);
  const reasons = status === 'open' ? PRIVACY_REASONS : EXTENSION_REASONS;
  const asked = kind === 'rectification' && status === 'open';
  const labels: Record<(typeof CORRECTIONS)[number], string> = {
    firstName: say('Nombre correcto', 'Right first name'),
    lastNames: say('Apellidos correctos', 'Right last names'),
    cornerStoreName: say('Nombre correcto de la tienda', 'Right name of the store'),
    phoneNumber: say('Teléfono correcto', 'Right phone'),
  };
  const corrections = CORRECTIONS.map((name) => ({ name, label: labels[name], required: false }));
  return card(
    say('Responder', 'Answer'),
    form(visit, {
      action: `/privacidad/${privacyRequestId}/responder`,
      fields: [
        choice(say('Respuesta', 'Answer'), answers, (one) => answerName(one), 'outcome'),
        {
          ...choice(
            say('Motivo, si se niega o se prorroga', 'Reason, where it is refused or extended'),
            ['', ...reasons],
            (one) => (one === '' ? '—' : reasonName(one)),
            'reasonCode',
          ),
          required: false,
        },
        ...(asked ? corrections : []),
      ],
      button: say('Responder', 'Answer'),
    }),
  );
}

export async function answerRequest(visit: Visit, id: string): Promise<void> {
  const reasonCode = fieldOf(visit, 'reasonCode');
  const outcome = fieldOf(visit, 'outcome');
  const filled = CORRECTIONS.map((name) => [name, fieldOf(visit, name)] as const).filter(
    ([, value]) => value !== '',
  );
  const isCorrected = outcome === 'granted' && filled.length > 0;
  // The API checks what is chosen.
  await visit.viewer.ops.privacyRequests.answer(id, {
    outcome,
    ...(reasonCode !== '' && { reasonCode }),
    ...(isCorrected && { corrections: Object.fromEntries(filled) }),
  } as BodyOf<'answerPrivacyRequest'>);
}
