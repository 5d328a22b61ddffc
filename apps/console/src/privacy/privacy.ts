import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import {
  EXTENSION_REASONS,
  IDENTITY_PROOFS,
  PRIVACY_ANSWERS,
  PRIVACY_CHANNELS,
  PRIVACY_REASONS,
  PRIVACY_REQUEST_KINDS,
  URGENT_DAYS,
} from '@fiado/contracts/privacy';
import type { AnswerOf, BodyOf, Schema } from '@fiado/ops-client/operations';
import { bodyIn } from '../frame/body';
import { storeLink, storeNameOf, storeNames } from '../frame/names';
import {
  fieldOf,
  idOf,
  isPart,
  mayDo,
  type Page,
  queryOf,
  record,
  type Redirect,
  startOfDayIn,
  type Visit,
} from '../frame/visit';
import { listFilters } from '../frame/filters';
import { choice, dateField, type Field, foldedForm, form } from '../frame/form';
import { agoOf, link, pesosOf, textOf, timeOf, when } from '../frame/formats';
import { card, factCard, listPage, tablePart, unlessDown } from '../frame/lists';
import { act, change, show, type Route } from '../frame/serve';
import { say, stateBadge } from '../frame/words';
import { answerName, channelName, kindName, proofName, reasonName } from './privacy-words';

const request = show('/privacidad/:privacyRequestId', showRequest);

export const privacyRoutes: Route[] = [
  show('/privacidad', showRequests),
  act('/privacidad', openRequest, showRequests),
  request,
  change(request, 'responder', 'guardado', ({ visit, ids }) =>
    answerRequest(visit, ids.privacyRequestId),
  ),
];

type PrivacyRequest = Schema<'PrivacyRequest'>;
type PrivacyRequestDetails = Schema<'PrivacyRequestDetails'>;

const STATES = ['open', 'executing', 'done', 'refused', 'todas'] as const;
const DAY_MS = 86_400_000;

/** What persons ask about their data, those to be answered first. */
async function showRequests(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const userId = queryOf(visit, 'userId');
  const { asked, chips } = listFilters(visit, '/privacidad', {
    states: STATES,
    filters: [
      {
        label: say('Persona', 'Person'),
        fields: [{ name: 'userId', label: say('Id de la persona', 'Id of the person') }],
        text: say('De una persona', 'Of one person'),
      },
    ],
    kind: 'privacy',
    all: say('Todas', 'All'),
  });
  return listPage(visit, {
    title: say('Privacidad', 'Privacy'),
    lead: say(
      'Lo que las personas piden sobre sus datos, y cuándo hay que responder.',
      'What persons ask about their data, and when to answer.',
    ),
    list: (page) =>
      viewer.ops.privacyRequests.list({ ...asked, ...(userId !== '' && { userId }), ...page }),
    rowsOf: ({ privacyRequests }) => privacyRequests,
    before: html`${chips} ${mayDo(viewer, 'operator') && (await openForm(visit))}`,
    empty: say('Ninguna solicitud así.', 'No such request.'),
    columns: async ({ privacyRequests }) => {
      const names = await storeNames(visit, privacyRequests);
      return [
        [
          say('Solicitud', 'Request'),
          (one) => link(`/privacidad/${one.privacyRequestId}`, kindName(one.kind)),
          'name',
        ],
        [
          say('Tienda', 'Store'),
          ({ cornerStoreId }) => storeLink(names, cornerStoreId, say('Tienda', 'Store')),
        ],
        [say('Recibida', 'Received'), 'receivedAt', 'when'],
        [say('Plazo', 'Due'), (request) => clock(request)],
        [say('Estado', 'Status'), (one) => stateBadge('privacy', one.status), 'state'],
      ];
    },
  });
}

/** Until when something is to be done; red from three days before. */
function clock({ status, answerDueAt, executionDueAt }: PrivacyRequest): Html {
  const due = status === 'open' ? answerDueAt : status === 'executing' ? executionDueAt : null;
  if (due === null) return html`—`;
  const isUrgent = Date.parse(due) - Date.now() < URGENT_DAYS * DAY_MS;
  if (!isUrgent) return when(due);
  return html`<span class="badge bad">${agoOf(due, say('es', 'en'))}</span> ${when(due)}`;
}

/** For the person of a store, where its page leads here: it names her, and says what she owes. */
async function openForm(visit: Visit): Promise<Html> {
  const { viewer } = visit;
  const cornerStoreId = queryOf(visit, 'tienda');
  const found = isPart(cornerStoreId)
    ? await unlessDown(viewer.ops.cornerStores.get(cornerStoreId))
    : undefined;
  const store = found?.cornerStore.userId === queryOf(visit, 'userId') ? found : undefined;
  const name = store === undefined ? undefined : storeNameOf(store.cornerStore);
  const named = (
    field: string,
    label: string,
    values: readonly string[],
    nameOf: (value: string) => string,
  ): Field => choice(label, values, (one) => nameOf(one), field);
  return foldedForm(visit, {
    id: 'registrar',
    summary:
      name === undefined
        ? say('Registrar una solicitud', 'Record a request')
        : say(`Registrar una solicitud de ${name}`, `Record a request of ${name}`),
    hint: [
      say(
        'Primero comprueba quién es. El plazo corre desde el día en que llegó.',
        'Check who it is first. The time runs from the day on which it came.',
      ),
      ...owedBy(store),
    ].join(' '),
    action: '/privacidad',
    ...(store !== undefined && { hidden: { userId: store.cornerStore.userId } }),
    fields: [
      ...(store === undefined ? [{ name: 'userId', label: say('Id del usuario', 'User id') }] : []),
      named('kind', say('Qué pide', 'What is asked'), PRIVACY_REQUEST_KINDS, kindName),
      named('channel', say('Cómo llegó', 'How it came'), PRIVACY_CHANNELS, channelName),
      {
        ...dateField('receivedAt', say('Día en que llegó', 'Day on which it came')),
        hint: say('Déjalo vacío si llegó hoy.', 'Leave it empty if it came today.'),
        required: false,
      },
      named(
        'identityProof',
        say('Cómo probó quién es', 'How the person proved who they are'),
        IDENTITY_PROOFS,
        proofName,
      ),
    ],
    button: say('Registrar', 'Record'),
  });
}

/** What keeps a cancellation from being granted. */
function owedBy(store: AnswerOf<'getCornerStoreOverview'> | undefined): string[] {
  const debts = store?.debts ?? null;
  if (debts === null || (debts.amountDue === 0 && debts.creditBalance === 0)) return [];
  const due = pesosOf(debts.amountDue);
  const balance = pesosOf(debts.creditBalance);
  return [
    say(
      `Hoy debe ${due} y tiene ${balance} a favor: mientras sea así, una cancelación no procede.`,
      `Today it owes ${due} and has a credit balance of ${balance}: until both are zero, a cancellation is not granted.`,
    ),
  ];
}

async function openRequest(visit: Visit): Promise<Redirect> {
  const receivedAt = startOfDayIn(visit, 'receivedAt');
  const body = {
    ...bodyIn(visit, 'openPrivacyRequest'),
    ...(receivedAt !== undefined && { receivedAt }),
  };
  const { privacyRequestId } = await visit.viewer.ops.privacyRequests.open(body);
  return { redirect: `/privacidad/${privacyRequestId}`, done: 'guardado' };
}

/** One request: its clock, what is known of it, the consents of the person, and the answer. */
async function showRequest(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const request = await viewer.ops.privacyRequests.get(idOf(visit, 'privacyRequestId'));
  return record({
    path: ['/privacidad', say('Privacidad', 'Privacy')],
    title: kindName(request.kind),
    badge: stateBadge('privacy', request.status),
    problem:
      visit.refusal?.code === 'TOO_MANY_ATTEMPTS' ? html`<p>${tooManyOf(request)}</p>` : undefined,
    parts: [
      mayDo(viewer, 'approver') && answerForm(visit, request),
      steps(request),
      consents(request),
    ],
    side: facts(request),
  });
}

/** What a person gets, or has changed, a few times a day only. */
function tooManyOf({ kind }: PrivacyRequestDetails): string {
  return kind === 'access'
    ? say(
        'En 24 horas ya se hicieron demasiadas copias de los datos de esta persona. Nada cambió: intenta mañana.',
        'Too many copies of this person’s data were made in 24 hours. Nothing changed: try again tomorrow.',
      )
    : say(
        'En 24 horas el teléfono de esta persona ya cambió demasiadas veces. Nada cambió: corrígelo mañana.',
        'The phone of this person was changed too often in 24 hours. Nothing changed: correct it tomorrow.',
      );
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
    reasonCode !== null && [say('Motivo', 'Reason'), reasonName(reasonCode)],
    doneAt !== null && [say('Terminada', 'Done'), timeOf(doneAt)],
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
      [say('Retiró lo voluntario', 'Voluntary withdrawn'), ({ withdrawnAt }) => when(withdrawnAt)],
    ],
    rows: given,
    empty: say('No hay consentimientos.', 'No consents.'),
  });
}

const CORRECTIONS = ['firstName', 'lastNames', 'cornerStoreName', 'phoneNumber'] as const;

function answerForm(visit: Visit, request: PrivacyRequestDetails): HtmlValue {
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

async function answerRequest(visit: Visit, id: string): Promise<void> {
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
