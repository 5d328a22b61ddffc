import type { Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { historyPart } from '../audit/history';
import { changedIn } from '../frame/body';
import { foldedForm, reasonField, yesOrNoField } from '../frame/form';
import { list, type Listing } from '../frame/lists';
import { factCard } from '../frame/parts';
import { forRole, recordPage } from '../frame/record';
import { change, type Route } from '../frame/serve';
import { mayDo, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import { issueKeyForm, keysPart, NEW_KEY, secretForm } from './keys-of-party';

const NEW_PROVIDER = {
  ...NEW_KEY,
  pageOf: (created: Record<string, string | null>) => pathOf(created['paymentProviderId'] ?? ''),
};

const NEW_SECRET = { title: ['Firma nueva', 'New signing secret'] } as const;

const providers = list('/proveedores', providersOf);

/** A payment provider with its keys. */
const provider = recordPage('/proveedores/:paymentProviderId', {
  load: (id, { viewer }) => viewer.ops.paymentProviders.get(id),
  path: () => ['/proveedores', say('Proveedores de pagos', 'Payment providers')],
  title: ({ name }) => name,
  parts: [
    settings,
    ({ paymentProviderId }, visit) => historyPart(visit, paymentProviderId),
    forRole('admin', settingsForm),
    forRole('admin', (provider, visit) => issueKeyForm(partyOf(provider), visit)),
    forRole('admin', newSecretForm),
    (provider, visit) => keysPart(partyOf(provider), visit),
  ],
});

export const providerRoutes: Route[] = [
  providers,
  secretForm(providers, '', NEW_PROVIDER, 'createPaymentProvider'),
  provider,
  change(provider, '', 'guardado', async ({ ops, ids, body }) => {
    const today = await ops.paymentProviders.get(ids.paymentProviderId);
    // An empty field means any address.
    const typed = { allowedAddresses: [], ...body('updatePaymentProvider') };
    const changed = changedIn(typed, today);
    if (changed !== undefined) await ops.paymentProviders.update(ids.paymentProviderId, changed);
  }),
  secretForm(provider, 'llaves', NEW_KEY, 'issueProviderKey'),
  change(provider, 'llaves/:apiKeyId/revocar', 'revocada', 'revokeApiKey'),
  secretForm(provider, 'secretos', NEW_SECRET, 'issueSigningSecret'),
];

type Provider = AnswerOf<'getPaymentProvider'>;

/** Payment providers, newest first. */
function providersOf(visit: Visit): Listing<'listPaymentProviders'> {
  return {
    of: 'listPaymentProviders',
    title: say('Proveedores de pagos', 'Payment providers'),
    before: () => mayDo(visit.viewer, 'admin') && createForm(visit),
    empty: say('Todavía no hay proveedores.', 'There are no providers yet.'),
    href: ({ paymentProviderId }) => pathOf(paymentProviderId),
    columns: [
      [say('Nombre', 'Name'), 'name', 'name'],
      [say('Direcciones', 'Addresses'), addressesOf],
      [say('Firma', 'Signature'), signatureOf],
    ],
  };
}

function addressesOf({ allowedAddresses }: Provider): string {
  return allowedAddresses.length === 0 ? say('cualquiera', 'any') : allowedAddresses.join(', ');
}

function signatureOf({ signatureRequired }: Provider): string {
  return signatureRequired ? say('obligatoria', 'required') : say('no se exige', 'not required');
}

const signs = (): string => say('Debe firmar sus depósitos', 'It must sign its deposits');

function createForm(visit: Visit): Html {
  return foldedForm(visit, {
    summary: say('Nuevo proveedor', 'New provider'),
    hint: say(
      'Registra pagos con su llave: lo decide otra persona.',
      'It records payments with its key: a second person decides.',
    ),
    action: '/proveedores',
    button: say('Pedir el proveedor', 'Ask for the provider'),
    fields: [
      { name: 'name', label: say('Nombre', 'Name') },
      yesOrNoField('signatureRequired', signs(), true),
      reasonField(),
    ],
  });
}

function partyOf({ paymentProviderId: id }: Provider) {
  return { id, path: pathOf(id), kind: 'provider' } as const;
}

function settings(provider: Provider): Html {
  return factCard(say('Reglas', 'Settings'), [
    [say('Direcciones permitidas', 'Allowed addresses'), addressesOf(provider)],
    [say('Firma', 'Signature'), signatureOf(provider)],
    [say('Zona horaria', 'Time zone'), provider.timeZone],
    [say('Id del proveedor', 'Id of the provider'), provider.paymentProviderId, 'id'],
  ]);
}

/** The settings that people change; the API says which of them need a second person. */
function settingsForm(provider: Provider, visit: Visit): Html {
  return foldedForm(visit, {
    summary: say('Cambiar reglas', 'Change the settings'),
    hint: say(
      'Una regla menos estricta la decide otra persona.',
      'A setting that is less strict is for a second person to decide.',
    ),
    action: pathOf(provider.paymentProviderId),
    button: say('Guardar', 'Save'),
    fields: [
      {
        name: 'allowedAddresses',
        label: say('Direcciones permitidas', 'Allowed addresses'),
        hint: say(
          'Con comas, como 203.0.113.0/24. Vacío: cualquiera.',
          'With commas, such as 203.0.113.0/24. Empty: any.',
        ),
        required: false,
        value: provider.allowedAddresses.join(', '),
      },
      yesOrNoField('signatureRequired', signs(), provider.signatureRequired),
      {
        name: 'timeZone',
        label: say('Zona horaria de sus pagos', 'Time zone of its payments'),
        value: provider.timeZone,
      },
      reasonField(),
    ],
  });
}

function newSecretForm({ paymentProviderId }: Provider, visit: Visit): Html {
  return foldedForm(visit, {
    summary: say('Nuevo secreto de firma', 'New signing secret'),
    hint: say('El de hoy vale 24 horas más.', 'Today’s is valid for 24 hours more.'),
    action: `${pathOf(paymentProviderId)}/secretos`,
    button: say('Pedir el secreto', 'Ask for the secret'),
  });
}

function pathOf(paymentProviderId: string): string {
  return `/proveedores/${encodeURIComponent(paymentProviderId)}`;
}
