import type { Html } from '@fiado/chassis/html';
import { IDENTITY_PROOFS, PRIVACY_CHANNELS, PRIVACY_REQUEST_KINDS } from '@fiado/contracts/privacy';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { bodyIn } from '../frame/body';
import { storeLink, storeNameOf, storeNames, type StoreNames } from '../frame/names';
import { isPart, mayDo, queryOf, type Redirect, startOfDayIn, type Visit } from '../frame/visit';
import { choice, dateField, foldedForm } from '../frame/form';
import { pesosOf } from '../frame/formats';
import { list, type Listing } from '../frame/lists';
import { unlessDown } from '../frame/read';
import { act, change, type Route } from '../frame/serve';
import { say } from '../frame/words';
import { channelName, kindName, proofName } from './privacy-words';
import { answerRequest, clock, request } from './privacy-request';

const requests = list('/privacidad', requestsOf);

export const privacyRoutes: Route[] = [
  requests,
  act('/privacidad', openRequest, requests.page),
  request,
  change(request, 'responder', 'guardado', ({ visit, ids }) =>
    answerRequest(visit, ids.privacyRequestId),
  ),
];

/** What persons ask about their data, those to be answered first. */
function requestsOf(visit: Visit): Listing<'listPrivacyRequests', StoreNames> {
  return {
    of: 'listPrivacyRequests',
    title: say('Privacidad', 'Privacy'),
    lead: say(
      'Lo que las personas piden sobre sus datos, y cuándo hay que responder.',
      'What persons ask about their data, and when to answer.',
    ),
    states: {
      kind: 'privacy',
      all: say('Todas', 'All'),
      shown: ['open', 'executing', 'done', 'refused', 'todas'],
    },
    filters: [
      {
        label: say('Persona', 'Person'),
        fields: [{ name: 'userId', label: say('Id de la persona', 'Id of the person') }],
        text: say('De una persona', 'Of one person'),
        asked: { userId: queryOf(visit, 'userId') || undefined },
      },
    ],
    before: () => mayDo(visit.viewer, 'operator') && openForm(visit),
    empty: say('Ninguna solicitud así.', 'No such request.'),
    names: (requests) => storeNames(visit, requests),
    href: ({ privacyRequestId }) => `/privacidad/${privacyRequestId}`,
    columns: [
      [say('Solicitud', 'Request'), ({ kind }) => kindName(kind), 'name'],
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId }, stores) => storeLink(stores, cornerStoreId, say('Tienda', 'Store')),
      ],
      [say('Recibida', 'Received'), 'receivedAt', 'when'],
      [say('Plazo', 'Due'), clock],
      [say('Estado', 'Status'), 'status', 'privacy'],
    ],
  };
}

/** For the person of a store, where its page leads here: it names her, and says what she owes. */
async function openForm(visit: Visit): Promise<Html> {
  const cornerStoreId = queryOf(visit, 'tienda');
  const found = isPart(cornerStoreId)
    ? await unlessDown(visit.viewer.ops.cornerStores.get(cornerStoreId))
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
      ...owedBy(store),
    ].join(' '),
    action: '/privacidad',
    ...(store !== undefined && { hidden: { userId: store.cornerStore.userId } }),
    fields: [
      ...(store === undefined ? [{ name: 'userId', label: say('Id del usuario', 'User id') }] : []),
      choice(say('Qué pide', 'What is asked'), PRIVACY_REQUEST_KINDS, kindName, 'kind'),
      choice(say('Cómo llegó', 'How it came'), PRIVACY_CHANNELS, channelName, 'channel'),
      {
        ...dateField('receivedAt', say('Día en que llegó', 'Day on which it came')),
        hint: say('Déjalo vacío si llegó hoy.', 'Leave it empty if it came today.'),
        required: false,
      },
      choice(
        say('Cómo probó quién es', 'How the person proved who they are'),
        IDENTITY_PROOFS,
        proofName,
        'identityProof',
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
