import { html, NOTHING, type Html } from '@fiado/chassis/html';
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
import {
  startOfDayIn,
  fieldOf,
  idOf,
  isPart,
  mayDo,
  queryOf,
  type Page,
  type Redirect,
  type Visit,
} from '../frame/visit';
import { listFilters } from '../frame/filters';
import { type Field, foldedForm, form } from '../frame/form';
import { agoOf, pesosOf, textOf, timeOf, when } from '../frame/formats';
import { card, factList, listPage, tablePart, unlessDown } from '../frame/lists';
import { act, change, show, type Route } from '../frame/serve';
import { stateBadge } from '../frame/states';
import { storeNameOf, storeNames } from '../frame/store-names';
import type { Say } from '../frame/words';
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
  const { say, viewer } = visit;
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
      viewer.ops.privacyRequests.list({
        ...asked,
        ...(userId !== '' && { userId }),
        ...page,
      }),
    rowsOf: ({ privacyRequests }) => privacyRequests,
    before: html`${chips} ${mayDo(viewer, 'operator') ? await openForm(visit) : NOTHING}`,
    empty: say('Ninguna solicitud así.', 'No such request.'),
    columns: async ({ privacyRequests }) => {
      const names = await storeNames(visit, privacyRequests);
      return [
        [
          say('Solicitud', 'Request'),
          ({ privacyRequestId, kind }) =>
            html`<a href="/privacidad/${privacyRequestId}">${kindName(kind, say)}</a>`,
          'name',
        ],
        [
          say('Tienda', 'Store'),
          ({ cornerStoreId }) =>
            html`<a href="/tiendas/${cornerStoreId}"
              >${names.get(cornerStoreId)?.name ?? say('Tienda', 'Store')}</a
            >`,
        ],
        [say('Recibida', 'Received'), ({ receivedAt }) => when(receivedAt), 'when'],
        [say('Plazo', 'Due'), (request) => clock(request, say)],
        [say('Estado', 'Status'), (one) => stateBadge('privacy', one.status, say), 'state'],
      ];
    },
  });
}

/** Until when something is to be done; red from three days before. */
function clock({ status, answerDueAt, executionDueAt }: PrivacyRequest, say: Say): Html {
  const due = status === 'open' ? answerDueAt : status === 'executing' ? executionDueAt : null;
  if (due === null) return html`—`;
  const isUrgent = Date.parse(due) - Date.now() < URGENT_DAYS * DAY_MS;
  if (!isUrgent) return when(due);
  return html`<span class="badge bad">${agoOf(due, say('es', 'en'))}</span> ${when(due)}`;
}

function choice(
  values: readonly string[],
  nameOf: (value: string, say: Say) => string,
  say: Say,
): Array<[string, string]> {
  return values.map((value) => [value, nameOf(value, say)]);
}

/** For the person of a store, where its page leads here: it names her, and says what she owes. */
async function openForm(visit: Visit): Promise<Html> {
  const { say, viewer } = visit;
  const cornerStoreId = queryOf(visit, 'tienda');
  const found = isPart(cornerStoreId)
    ? await unlessDown(viewer.ops.cornerStores.get(cornerStoreId))
    : undefined;
  const store = found?.cornerStore.userId === queryOf(visit, 'userId') ? found : undefined;
  const name = store === undefined ? undefined : storeNameOf(store.cornerStore);
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
      ...owedBy(store, say),
    ].join(' '),
    action: '/privacidad',
    ...(store !== undefined && { hidden: { userId: store.cornerStore.userId } }),
    fields: [
      ...(store === undefined ? [{ name: 'userId', label: say('Id del usuario', 'User id') }] : []),
      {
        name: 'kind',
        label: say('Qué pide', 'What is asked'),
        options: choice(PRIVACY_REQUEST_KINDS, kindName, say),
      },
      {
        name: 'channel',
        label: say('Cómo llegó', 'How it came'),
        options: choice(PRIVACY_CHANNELS, channelName, say),
      },
      {
        name: 'receivedAt',
        label: say('Día en que llegó', 'Day on which it came'),
        hint: say('Déjalo vacío si llegó hoy.', 'Leave it empty if it came today.'),
        type: 'date',
        required: false,
      },
      {
        name: 'identityProof',
        label: say('Cómo probó quién es', 'How the person proved who they are'),
        options: choice(IDENTITY_PROOFS, proofName, say),
      },
    ],
    button: say('Registrar', 'Record'),
  });
}

/** What keeps a cancellation from being granted. */
function owedBy(store: AnswerOf<'getCornerStoreOverview'> | undefined, say: Say): string[] {
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
  const typed = Object.fromEntries(
    ['userId', 'kind', 'channel', 'identityProof'].map((name) => [name, fieldOf(visit, name)]),
  ) as BodyOf<'openPrivacyRequest'>;
  const receivedAt = startOfDayIn(visit, 'receivedAt');
  const body = { ...typed, ...(receivedAt !== undefined && { receivedAt }) };
  const { privacyRequestId } = await visit.viewer.ops.privacyRequests.open(body);
  return { redirect: `/privacidad/${privacyRequestId}`, done: 'guardado' };
}

/** One request: its clock, what is known of it, the consents of the person, and the answer. */
async function showRequest(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const request = await viewer.ops.privacyRequests.get(idOf(visit, 'privacyRequestId'));
  return {
    path: ['/privacidad', say('Privacidad', 'Privacy')],
    title: kindName(request.kind, say),
    badge: stateBadge('privacy', request.status, say),
    ...(visit.refusal?.code === 'TOO_MANY_ATTEMPTS' && {
      problem: html`<p>${tooManyOf(request, say)}</p>`,
    }),
    content: html`<div class="record">
      <div>
        ${mayDo(viewer, 'approver') ? answerForm(visit, request) : NOTHING} ${steps(request, say)}
        ${consents(request, say)}
      </div>
      <div>${facts(request, say)}</div>
    </div>`,
  };
}

/** What a person gets, or has changed, a few times a day only. */
function tooManyOf({ kind }: PrivacyRequestDetails, say: Say): string {
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

function facts(request: PrivacyRequestDetails, say: Say): Html {
  const { answeredBy, answeredByName, reasonCode, doneAt } = request;
  const extended = say('prorrogado', 'extended');
  return card(
    say('Solicitud', 'Request'),
    factList([
      [say('Plazo', 'Due'), clock(request, say)],
      [
        say('Tienda', 'Store'),
        html`<a href="/tiendas/${request.cornerStoreId}"
          >${say('Ver la tienda', 'See the store')}</a
        >`,
      ],
      [say('Recibida', 'Received'), timeOf(request.receivedAt)],
      [say('Cómo llegó', 'How it came'), channelName(request.channel, say)],
      [say('Identidad', 'Identity'), proofName(request.identityProof, say)],
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
      reasonCode !== null && [say('Motivo', 'Reason'), reasonName(reasonCode, say)],
      doneAt !== null && [say('Terminada', 'Done'), timeOf(doneAt)],
    ]),
  );
}

/** The steps of a cancellation: when each begins, and how many values are gone. */
function steps({ kind, erasures }: PrivacyRequestDetails, say: Say): Html {
  if (kind !== 'cancellation') return NOTHING;
  return tablePart({
    title: say('Bloqueo y supresión', 'Block and suppression'),
    columns: [
      [
        say('Paso', 'Step'),
        ({ phase }) =>
          phase === 'block' ? say('Bloqueo', 'Block') : say('Supresión', 'Suppression'),
        'name',
      ],
      [say('Empieza', 'Begins'), ({ dueAt }) => when(dueAt), 'when'],
      [say('Estado', 'Status'), ({ state }) => stepState(state, say)],
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

function stepState(state: Schema<'Erasure'>['state'], say: Say): string {
  if (state === 'waiting') return say('Espera su fecha', 'Waits for its day');
  return state === 'running' ? say('En curso', 'In progress') : say('Terminado', 'Done');
}

function consents({ consents: given }: PrivacyRequestDetails, say: Say): Html {
  const name = say('Consentimientos', 'Consents');
  return tablePart({
    title: name,
    columns: [
      [say('Aviso', 'Notice'), ({ noticeVersion }) => noticeVersion, 'name'],
      [say('Dado', 'Given'), ({ givenAt }) => when(givenAt), 'when'],
      [say('Retiró lo voluntario', 'Voluntary withdrawn'), ({ withdrawnAt }) => when(withdrawnAt)],
    ],
    rows: given,
    empty: say('No hay consentimientos.', 'No consents.'),
  });
}

const CORRECTIONS = ['firstName', 'lastNames', 'cornerStoreName', 'phoneNumber'] as const;

function answerForm(visit: Visit, request: PrivacyRequestDetails): Html {
  const { say } = visit;
  const { status, kind, privacyRequestId } = request;
  if (status !== 'open' && status !== 'executing') return NOTHING;
  const answers = status === 'open' ? PRIVACY_ANSWERS : (['extended'] as const);
  const reasons = status === 'open' ? PRIVACY_REASONS : EXTENSION_REASONS;
  const asked = kind === 'rectification' && status === 'open';
  const labels: Record<(typeof CORRECTIONS)[number], string> = {
    firstName: say('Nombre correcto', 'Right first name'),
    lastNames: say('Apellidos correctos', 'Right last names'),
    cornerStoreName: say('Nombre correcto de la tienda', 'Right name of the store'),
    phoneNumber: say('Teléfono correcto', 'Right phone'),
  };
  const corrections = CORRECTIONS.map((name): Field => ({
    name,
    label: labels[name],
    required: false,
  }));
  return card(
    say('Responder', 'Answer'),
    form(visit, {
      action: `/privacidad/${privacyRequestId}/responder`,
      fields: [
        {
          name: 'outcome',
          label: say('Respuesta', 'Answer'),
          options: choice(answers, answerName, say),
        },
        {
          name: 'reasonCode',
          label: say(
            'Motivo, si se niega o se prorroga',
            'Reason, where it is refused or extended',
          ),
          required: false,
          options: [['', '—'], ...choice(reasons, reasonName, say)],
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
