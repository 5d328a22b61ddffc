import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { historyPart } from '../audit/history';
import { buttonForm, foldedForm, reasonField, reasonIn } from '../frame/form';
import { copyable } from '../frame/formats';
import { card, factList, listPage } from '../frame/lists';
import { act, change, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, type Page, type Visit } from '../frame/visit';
import { askedKey, issueKeyForm, keyColumns, secretPage } from './keys-of-party';

const provider = show('/proveedores/:paymentProviderId', showProvider);

export const providerRoutes: Route[] = [
  show('/proveedores', showProviders),
  act('/proveedores', createProvider, showProviders),
  provider,
  change(provider, '', 'guardado', ({ visit, ids }) =>
    changeSettings(visit, ids.paymentProviderId),
  ),
  act('/proveedores/:paymentProviderId/llaves', issueKey, showProvider),
  change(provider, 'llaves/:apiKeyId/revocar', 'revocada', ({ ops, ids }) =>
    ops.apiKeys.revoke(ids.apiKeyId),
  ),
  act('/proveedores/:paymentProviderId/secretos', issueSecret, showProvider),
];

type Provider = AnswerOf<'getPaymentProvider'>;

/** Payment providers, newest first. */
function showProviders(visit: Visit): Promise<Page> {
  const { say, viewer } = visit;
  return listPage(visit, {
    title: say('Proveedores de pagos', 'Payment providers'),
    list: ({ cursor }) => viewer.ops.paymentProviders.list({ cursor }),
    rowsOf: ({ paymentProviders }) => paymentProviders,
    before: mayDo(viewer, 'admin') ? createForm(visit) : NOTHING,
    empty: say('Todavía no hay proveedores.', 'There are no providers yet.'),
    columns: [
      [
        say('Nombre', 'Name'),
        ({ paymentProviderId, name }) =>
          html`<a href="/proveedores/${paymentProviderId}">${name}</a>`,
        'name',
      ],
      [say('Direcciones', 'Addresses'), (provider) => addressesOf(visit, provider)],
      [say('Firma', 'Signature'), (provider) => signatureOf(visit, provider)],
    ],
  });
}

function addressesOf({ say }: Visit, { allowedAddresses }: Provider): string {
  return allowedAddresses.length === 0 ? say('cualquiera', 'any') : allowedAddresses.join(', ');
}

function signatureOf({ say }: Visit, { signatureRequired }: Provider): string {
  return signatureRequired ? say('obligatoria', 'required') : say('no se exige', 'not required');
}

function createForm(visit: Visit): Html {
  const { say } = visit;
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
      {
        name: 'signatureRequired',
        label: say('Debe firmar sus depósitos', 'It must sign its deposits'),
        value: 'true',
        options: [
          ['true', say('sí', 'yes')],
          ['false', 'no'],
        ],
      },
      reasonField(say),
    ],
  });
}

async function createProvider(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const created = await viewer.ops.paymentProviders.create({
    name: fieldOf(visit, 'name'),
    signatureRequired: fieldOf(visit, 'signatureRequired') === 'true',
    ...reasonIn(visit),
  });
  const { apiKey, signingSecret, paymentProviderId } = created;
  return secretPage(visit, {
    title: say('Llave nueva', 'New key'),
    secrets: signingSecret === null ? [apiKey] : [apiKey, signingSecret],
    back: pathOf(paymentProviderId),
  });
}

/** A payment provider with its keys. */
async function showProvider(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const paymentProviderId = idOf(visit, 'paymentProviderId');
  const provider = await viewer.ops.paymentProviders.get(paymentProviderId);
  const party = { path: pathOf(paymentProviderId), kind: 'provider' as const };
  const page = await listPage(visit, {
    title: say('Llaves', 'Keys'),
    list: ({ cursor }) => viewer.ops.paymentProviders.listKeys(paymentProviderId, { cursor }),
    rowsOf: ({ apiKeys }) => apiKeys,
    before: html`${settings(visit, provider)} ${await historyPart(visit, paymentProviderId)}
    ${mayDo(viewer, 'admin') ? html`${settingsForm(visit, provider)} ${issueKeyForm(visit, party)} ${secretForm(visit, provider)}` : NOTHING}`,
    empty: say('No tiene llaves.', 'It has no keys.'),
    columns: keyColumns(visit, party),
  });
  return {
    ...page,
    path: ['/proveedores', say('Proveedores de pagos', 'Payment providers')],
    title: provider.name,
  };
}

function settings(visit: Visit, provider: Provider): Html {
  const { say } = visit;
  return card(
    say('Reglas', 'Settings'),
    factList([
      [say('Direcciones permitidas', 'Allowed addresses'), addressesOf(visit, provider)],
      [say('Firma', 'Signature'), signatureOf(visit, provider)],
      [say('Zona horaria', 'Time zone'), provider.timeZone],
      [say('Id del proveedor', 'Id of the provider'), copyable(provider.paymentProviderId)],
    ]),
  );
}

/** The settings that people change; the API says which of them need a second person. */
function settingsForm(visit: Visit, provider: Provider): Html {
  const { say } = visit;
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
      {
        name: 'signatureRequired',
        label: say('Debe firmar sus depósitos', 'It must sign its deposits'),
        value: String(provider.signatureRequired),
        options: [
          ['true', say('sí', 'yes')],
          ['false', 'no'],
        ],
      },
      {
        name: 'timeZone',
        label: say('Zona horaria de sus pagos', 'Time zone of its payments'),
        value: provider.timeZone,
      },
      reasonField(say),
    ],
  });
}

/** Sends what differs from today's settings only, so that a change asks for no more than was meant. */
async function changeSettings(visit: Visit, id: string): Promise<void> {
  const { paymentProviders } = visit.viewer.ops;
  const today = await paymentProviders.get(id);
  const typed = {
    allowedAddresses: fieldOf(visit, 'allowedAddresses')
      .split(/[\s,]+/)
      .filter((one) => one !== ''),
    signatureRequired: fieldOf(visit, 'signatureRequired') === 'true',
    timeZone: fieldOf(visit, 'timeZone'),
  };
  const changed = Object.entries(typed).filter(
    ([name, value]) => String(value) !== String(today[name as keyof typeof typed]),
  );
  if (changed.length > 0) {
    await paymentProviders.update(id, { ...Object.fromEntries(changed), ...reasonIn(visit) });
  }
}

function secretForm({ viewer, say }: Visit, { paymentProviderId }: Provider): Html {
  return html`<details class="folded">
    <summary>${say('Nuevo secreto de firma', 'New signing secret')}</summary>
    <p>${say('El de hoy vale 24 horas más.', 'Today’s is valid for 24 hours more.')}</p>
    ${buttonForm(viewer, {
      action: `${pathOf(paymentProviderId)}/secretos`,
      label: say('Pedir el secreto', 'Ask for the secret'),
      kind: 'main',
    })}
  </details>`;
}

async function issueKey(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const paymentProviderId = idOf(visit, 'paymentProviderId');
  const { apiKey } = await viewer.ops.paymentProviders.issueKey(paymentProviderId, askedKey(visit));
  const title = say('Llave nueva', 'New key');
  return secretPage(visit, { title, secrets: [apiKey], back: pathOf(paymentProviderId) });
}

async function issueSecret(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const paymentProviderId = idOf(visit, 'paymentProviderId');
  const { signingSecret } = await viewer.ops.paymentProviders.issueSigningSecret(paymentProviderId);
  const title = say('Firma nueva', 'New signing secret');
  return secretPage(visit, { title, secrets: [signingSecret], back: pathOf(paymentProviderId) });
}

function pathOf(paymentProviderId: string): string {
  return `/proveedores/${encodeURIComponent(paymentProviderId)}`;
}
