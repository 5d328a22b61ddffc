import { createStoreWithKycLink, createWholesaler, phonePicture } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();

const DATA = {
  cornerStoreName: 'Abarrotes Rosita',
  cornerStoreAddress: 'Av. Juárez 12, Puebla',
  cornerStoreType: 'MISCELÁNEA',
  businessLifetime: 'MORE_THAN_FIVE_YEARS',
  ownershipStatus: 'DUEÑO',
  localeOwner: 'PROPIO',
};

it('the link of an identity check takes everything that an onboarding needs', async () => {
  const wholesaler = await createWholesaler(system);
  const { store, link } = await createStoreWithKycLink(system, wholesaler);
  /** Posts a form, follows its redirect as a browser does, and returns the page. */
  const post = async (path: string, body: RequestInit['body'] = null): Promise<string> =>
    (await fetch(`${link}/${path}`, { method: 'POST', body })).text();
  const [picture, other] = [await phonePicture(), await phonePicture()];
  const sendPhoto = async (path: string, photo = picture): Promise<string> => {
    const form = new FormData();
    form.append('photo', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'foto.jpg');
    return post(path, form);
  };

  const first = await (await fetch(link)).text();
  expect(first).toContain('Acepto el aviso de privacidad');
  expect(await sendPhoto('frente')).toContain('Paso 1 de 6');
  const [, version = ''] = /name="version" value="([^"]+)"/.exec(first) ?? [];
  expect(await post('aviso', new URLSearchParams({ version }))).toContain('Paso 2 de 6');
  expect(await sendPhoto('frente')).toContain('Paso 3 de 6');
  expect(await sendPhoto('reverso')).toContain('Paso 4 de 6');
  expect(await sendPhoto('cara')).toContain('Paso 5 de 6');
  // A step may be sent again, and the link goes on where it stopped.
  expect(await sendPhoto('cara', other)).toContain('Paso 5 de 6');
  expect(await (await fetch(link)).text()).toContain('Paso 5 de 6');
  expect(await sendPhoto('tienda')).toContain('Paso 6 de 6');
  expect(await post('terminar')).toContain('Paso 6 de 6');
  expect(await post('datos', new URLSearchParams(DATA))).toContain('Terminar');
  expect(await post('terminar')).toContain('Estamos revisando tus datos');

  const path = `/admin/corner-stores/${store.cornerStoreId}/documents`;
  const { body } = await system.call(system.opsKey, 'GET', path);
  const steps = body.documents.map((document: { step: string }) => document.step);
  expect(steps.toReversed()).toEqual([
    'DOCUMENT_IMAGE_FRONTAL',
    'DOCUMENT_IMAGE_BACK',
    'SELFIE_IMAGE',
    'SELFIE_IMAGE',
    'STORE_IMAGE',
  ]);
  const query = `/admin/corner-stores?wholesalerId=${wholesaler.wholesalerId}`;
  const listed = await system.call(system.opsKey, 'GET', query);
  expect(listed.body.cornerStores).toMatchObject([
    {
      status: 'in-manual-validation',
      cornerStoreName: DATA.cornerStoreName,
      missingSteps: [],
    },
  ]);
});
